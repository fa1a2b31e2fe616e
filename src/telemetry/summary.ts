/**
 * Summaries of statements, by OpenTelemetry's conventions for `db.query.summary`: the operation and
 * its tables, never a value.
 */
import { LRUCache } from 'lru-cache';

export interface Summary {
  /** `SELECT organization_members users` */
  readonly text: string;
  /** `SELECT` */
  readonly operation: string;
}

const summaries = new LRUCache<string, Summary>({ max: 2000 });

/** Maximum number of tables; the first ones are the relevant ones. */
const maxTables = 6;

export function summaryOf(sql: string): Summary {
  let summary = summaries.get(sql);
  if (!summary) {
    summary = summarize(sql);
    summaries.set(sql, summary);
  }
  return summary;
}

function summarize(sql: string): Summary {
  const code = sql.replace(/--.*$/gm, ' ').replace(/'(?:[^']|'')*'/g, "''");
  const write =
    /\b(insert)\s+into\b|\b(update)\s+(?!set\b|of\b|skip\b|nowait\b)[a-z_]|\b(delete)\s+from\b/i.exec(
      code,
    );
  const verb = write
    ? (write[1] ?? write[2] ?? write[3])
    : /[a-z]+/i.exec(code.replace(/^\s*with\b/i, 'select'))?.[0];
  const operation = (verb ?? 'unknown').toUpperCase();
  const own = new Set(
    [
      ...code.matchAll(/\b(\w+)\s*(?:\([\w\s,]*\))?\s+as\s+(?:not\s+)?(?:materialized\s+)?\(/gi),
    ].map(([, name]) => name),
  );
  const named = [
    ...code.matchAll(
      /(?<!\bdistinct\s)\b(?:from|join|into|(?<!\bfor\s|\bdo\s|\bkey\s)update)\s+(?:only\s+)?([a-z_]\w*)(?!\w|\s*\()/gi,
    ),
  ];
  // The checks of a write come before its target tables.
  const isWritten = ([text]: RegExpExecArray) => /^(into|update)\b/i.test(text);
  const ordered = [...named.filter(isWritten), ...named];
  const tables = new Set(
    ordered
      .map(([, name = '']) => name)
      .filter((name) => !own.has(name) && !/^(lateral|set|select)$/i.test(name)),
  );
  return { text: [operation, ...[...tables].slice(0, maxTables)].join(' '), operation };
}
