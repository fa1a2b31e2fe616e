/**
 * Spans and measurements by OpenTelemetry's conventions. They contain names from the code and
 * numbers, but no values, paths, messages or personal data.
 */
import {
  type Attributes,
  context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { pgError } from '../database/failures.js';
import { ApiError } from '../errors.js';
import { causeOf } from '../http/error-mapping.js';
import type { Observer } from '../observer.js';
import type { Instruments } from './instruments.js';
import { summaryOf } from './summary.js';

/**
 * The conventions' placeholder for names that clients choose, which would create an unbounded
 * number of series.
 */
const other = '_OTHER';
const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);
/** Maximum length of an operation name in a span. */
const longestName = 100;

const callers = new W3CTraceContextPropagator();

/** The code of an API error, the SQLSTATE of a PostgreSQL error, or the class of any other. */
function typeOf(error: unknown): string {
  const cause = causeOf(error);
  if (cause instanceof ApiError) return cause.code;
  return pgError(cause)?.code ?? (Error.isError(cause) ? cause.name : other);
}

/**
 * Whether the server failed. Errors of clients do not count, also if a constraint (class 23)
 * detects them.
 */
function isOurs(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof ApiError ? cause.status >= 500 : !pgError(cause)?.code.startsWith('23');
}

function fail(span: Span | undefined, type: string, isFailure = true): void {
  span?.setAttribute('error.type', type);
  if (isFailure) span?.setStatus({ code: SpanStatusCode.ERROR });
}

const within = <T>(span: Span | undefined, work: () => T): T =>
  span ? context.with(trace.setSpan(context.active(), span), work) : work();

const secondsSince = (started: number): number => (performance.now() - started) / 1000;

/**
 * @param tracer Undefined when only metrics are enabled.
 * @param named Operations with their own series.
 */
export function createObserver(
  tracer: Tracer | undefined,
  instruments: Instruments,
  named: ReadonlySet<string>,
): Observer {
  /** Starts a span within a trace: background work of the server would be traces without a root. */
  const startPart = (name: string, kind: SpanKind, attributes: Attributes): Span | undefined =>
    trace.getActiveSpan() && tracer?.startSpan(name, { kind, attributes });

  async function observe<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await within(span, work);
    } catch (error) {
      fail(span, typeOf(error), isOurs(error));
      throw error;
    } finally {
      span?.end();
    }
  }

  return {
    request(given, headers) {
      const method = methods.has(given) ? given : other;
      const started = performance.now();
      const parent = callers.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const span = tracer?.startSpan(
        method,
        { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
        parent,
      );
      return {
        traceId: span?.spanContext().traceId,
        run: (work) => within(span, work),
        end({ route, status, statements }) {
          const isFailure = status === undefined || status >= 500;
          const attributes: Attributes = {
            'http.request.method': method,
            ...(route !== undefined && { 'http.route': route }),
            ...(status !== undefined && { 'http.response.status_code': status }),
            ...(isFailure && { 'error.type': status === undefined ? 'aborted' : String(status) }),
          };
          instruments.request.record(secondsSince(started), attributes);
          if (statements !== undefined && route !== undefined)
            instruments.statements.record(statements, { 'http.route': route });
          if (route !== undefined) span?.updateName(`${method} ${route}`);
          if (status !== undefined && isFailure) span?.setStatus({ code: SpanStatusCode.ERROR });
          span?.setAttributes(attributes).end();
        },
      };
    },

    async operation({ kind, name }, run) {
      const isNamed = name !== undefined && named.has(name);
      const started = performance.now();
      const span = tracer?.startSpan(isNamed ? `${kind} ${name}` : kind, {
        attributes: {
          'graphql.operation.type': kind,
          ...(name && { 'graphql.operation.name': name.slice(0, longestName) }),
        },
      });
      const about: Attributes = {
        'graphql.operation.type': kind,
        'graphql.operation.name': isNamed ? name : other,
      };
      try {
        const outcome = await within(span, run);
        const [error] = outcome.result?.errors ?? [];
        if (error !== undefined) {
          about['error.type'] = typeOf(error);
          fail(span, typeOf(error), isOurs(error));
        }
        return outcome;
      } catch (error) {
        about['error.type'] = typeOf(error);
        fail(span, typeOf(error), isOurs(error));
        throw error;
      } finally {
        instruments.operation.record(secondsSince(started), about);
        span?.end();
      }
    },

    batch(field, parents, load) {
      instruments.batch.record(parents, { 'lanyard.graphql.field': field });
      const attributes = { 'lanyard.graphql.field': field, 'lanyard.graphql.batch.size': parents };
      return observe(startPart(`batch ${field}`, SpanKind.INTERNAL, attributes), load);
    },

    async statement(sql, send) {
      const { text, operation } = summaryOf(sql);
      const started = performance.now();
      const about: Attributes = {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.summary': text,
      };
      const span = startPart(text, SpanKind.CLIENT, about);
      try {
        return await observe(span, send);
      } catch (error) {
        about['error.type'] = typeOf(error);
        throw error;
      } finally {
        instruments.statement.record(secondsSince(started), about);
      }
    },

    count(occurrence) {
      instruments.occurrences[occurrence].add(1);
    },
  };
}
