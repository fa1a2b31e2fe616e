/**
 * Hooks for telemetry. Without telemetry there is no observer, and each hook costs one comparison.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** Occasional events, which are counted. */
export type Occurrence = 'idempotencyReplay' | 'costRefusal' | 'rateRefusal' | 'queueRefusal';

export interface RequestEnd {
  readonly method: string;
  /** The route pattern, shared by many requests. Undefined when no route matched. */
  readonly route: string | undefined;
  /** Undefined when the connection ended before a response. */
  readonly status: number | undefined;
  /** Number of database statements; undefined where they are not counted. */
  readonly statements: number | undefined;
}

export interface ObservedRequest {
  /** Undefined without tracing. */
  readonly traceId: string | undefined;
  /** Runs `work` within the trace of the request. */
  run<T>(work: () => T): T;
  /** Call it once, after the response was sent. */
  end(end: RequestEnd): void;
}

export interface ObservedOperation {
  readonly kind: string;
  readonly name: string | undefined;
}

/** Each method runs the given function and returns its result. */
export interface Observer {
  request(method: string, headers: IncomingHttpHeaders): ObservedRequest;
  operation<Outcome extends { readonly result?: { readonly errors?: readonly unknown[] } }>(
    operation: ObservedOperation,
    run: () => Promise<Outcome>,
  ): Promise<Outcome>;
  /** @param field `Type.field`, whose values are loaded for all parents at once. */
  batch<Values>(field: string, parents: number, load: () => Promise<Values>): Promise<Values>;
  statement<Rows>(sql: string, send: () => Promise<Rows>): Promise<Rows>;
  count(occurrence: Occurrence): void;
}

/** One per process, like OpenTelemetry's own context. */
export let observer: Observer | undefined;

export function setObserver(next: Observer | undefined): void {
  observer = next;
}
