/** What Lanyard tells of its work as it goes. Where nobody asked for telemetry there is no observer, and a look at that is all it costs. */
import type { IncomingHttpHeaders } from 'node:http';

/** What happens now and then, and is counted. */
export type Occurrence = 'idempotencyReplay' | 'costRefusal' | 'rateRefusal';

export interface RequestEnd {
  readonly method: string;
  /** The pattern of its path, which many requests share. Undefined where no route has it. */
  readonly route: string | undefined;
  /** Undefined when the connection ended before there was one. */
  readonly status: number | undefined;
  /** Of the database; undefined where they aren't counted. */
  readonly statements: number | undefined;
}

export interface ObservedRequest {
  /** Undefined where nothing is traced. */
  readonly traceId: string | undefined;
  /** What the work does is part of the request. */
  run<T>(work: () => T): T;
  /** To be called once, when the answer has gone out. */
  end(end: RequestEnd): void;
}

export interface ObservedOperation {
  readonly kind: string;
  readonly name: string | undefined;
}

/** Each method runs what it is given, and gives back what that gives. */
export interface Observer {
  request(method: string, headers: IncomingHttpHeaders): ObservedRequest;
  operation<Outcome extends { readonly result?: { readonly errors?: readonly unknown[] } }>(
    operation: ObservedOperation,
    run: () => Promise<Outcome>,
  ): Promise<Outcome>;
  /** @param field `Type.field`; its values are read at once for all parents. */
  batch<Values>(field: string, parents: number, load: () => Promise<Values>): Promise<Values>;
  statement<Rows>(sql: string, send: () => Promise<Rows>): Promise<Rows>;
  count(occurrence: Occurrence): void;
}

/** One for the process, as OpenTelemetry's own context is. */
export let observer: Observer | undefined;

export function setObserver(next: Observer | undefined): void {
  observer = next;
}
