/**
 * What a migration may not do while the release before it still runs on the same database: take
 * away or rename what that release uses, refuse what it writes, or hold a table for as long as its
 * rows take to read. Each has a way in smaller steps, which the sentence names.
 */

interface Rule {
  readonly pattern: RegExp;
  readonly why: string;
}

const contract =
  'the release before still uses it: stop using it in one release, take it away in the next';
const own = 'in a migration of its own';

/**
 * Of statements on a table that is there already. Matched without comments, texts and bodies of
 * functions, in one line of lower case.
 */
const onExisting: readonly Rule[] = [
  {
    pattern: /^drop (table|view|materialized view|type|function|schema|sequence|domain)\b/,
    why: contract,
  },
  {
    pattern: /^alter table .*\bdrop (?!constraint|default|not null|expression|identity)/,
    why: contract,
  },
  { pattern: /^alter \w+ .*\brename\b/, why: `${contract}; add the new name beside the old one` },
  {
    pattern: /^alter table .*\balter (column )?\S+ (set data )?type\b/,
    why: 'rewrites the table: add a column, fill it in batches, then switch',
  },
  {
    pattern: /^alter table .*\bdrop default\b/,
    why: 'the release before leaves the column out when it inserts',
  },
  {
    pattern: /^alter table .*\bset not null\b/,
    why: `reads every row under a lock: add a check as not valid, validate it ${own}, then set not null`,
  },
  {
    pattern:
      /^alter table .*\badd (column )?(if not exists )?(?!constraint|check|unique|foreign|primary|exclude)[^,]*\bnot null\b(?![^,]*\bdefault\b)/,
    why: 'the release before inserts without the column: give it a default',
  },
  {
    pattern:
      /^alter table .*\badd (column )?(if not exists )?(?!constraint|check|unique|foreign|primary|exclude)[^,]*\breferences\b/,
    why: `checks every row while writers wait: add the column, then the foreign key as not valid, and validate it ${own}`,
  },
  {
    pattern: /^alter table .*\badd (constraint \S+ )?(check|foreign key)\b(?!.*\bnot valid\b)/,
    why: `reads every row under a lock: add it as not valid, and validate it ${own}`,
  },
  {
    pattern:
      /^alter table .*\badd (constraint \S+ )?(unique|primary key|exclude)\b(?! using index)/,
    why: 'builds an index under a lock: create a unique index concurrently, then add the constraint using it',
  },
  {
    pattern: /^create (unique )?index (?!concurrently)/,
    why: `keeps writers out while it builds: create it concurrently, ${own} that is not transactional`,
  },
  {
    pattern: /^create (or replace )?(constraint )?trigger\b/,
    why: 'changes what the release before does when it writes',
  },
  {
    pattern: /^(update|delete|merge|insert into \S+ .*\bselect)\b/,
    why: 'holds every row that it changes until it commits: change them in batches, outside',
  },
  {
    pattern: /^(truncate|lock|cluster|vacuum full|reindex (?!.*concurrently))\b/,
    why: 'keeps everyone out of the table',
  },
];

/** `-- because …` in front of a statement: somebody looked, and says why it does no harm. */
const excuse = /^\s*--\s*because\s+\S/m;

/** The table that a statement is about. */
const tableOf = (statement: string): string | undefined =>
  /^alter table (?:if exists )?(?:only )?(\S+)/.exec(statement)?.[1] ??
  /^create .*?\bon (\S+)/.exec(statement)?.[1] ??
  /^(?:update|delete from|merge into|insert into|truncate(?: table)?|lock(?: table)?) (?:only )?(\S+)/.exec(
    statement,
  )?.[1];

/** @returns What is wrong, one sentence for each statement. */
export function lintMigration(sql: readonly string[], isTransactional: boolean): string[] {
  const statements = sql.flatMap(split);
  const made = new Set(
    statements.flatMap(
      ({ text }) => /^create (?:unlogged )?table (?:if not exists )?(\S+)/.exec(text)?.[1] ?? [],
    ),
  );
  return statements.flatMap(({ text, isExcused }, index) => {
    if (isExcused || made.has(tableOf(text) ?? '')) return [];
    const broken = [
      ...onExisting.filter(({ pattern }) => pattern.test(text)).map(({ why }) => why),
      ...aboutSteps(text, index),
    ];
    return broken.slice(0, 1).map((why) => `“${text.slice(0, 100)}”: ${why}.`);
  });

  function aboutSteps(text: string, index: number): string[] {
    const before = statements.slice(0, index).map((each) => each.text);
    const index_ = /\bconcurrently (?:if not exists )?(\S+)/.exec(text)?.[1];
    if (index_ && isTransactional)
      return [
        `not possible in a transaction: override isTransactional in a migration that does nothing else`,
      ];
    if (
      index_ &&
      text.startsWith('create') &&
      !before.includes(`drop index concurrently if exists ${index_}`)
    )
      return [
        `an attempt that failed leaves an index that is not valid: begin with “drop index concurrently if exists ${index_}”`,
      ];
    if (/\bvalidate constraint\b/.test(text) && before.some((each) => each.endsWith('not valid')))
      return [`keeps the lock of the step before: validate it ${own}`];
    return [];
  }
}

/**
 * The statements, in one line of lower case each, without comments, the insides of texts, and the
 * bodies of functions.
 */
function split(sql: string): { text: string; isExcused: boolean }[] {
  const bare = sql.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$$$$').replace(/'(?:[^']|'')*'/g, "''");
  return bare.split(';').flatMap((part) => {
    const text = part.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim().toLowerCase();
    return text ? [{ text, isExcused: excuse.test(part) }] : [];
  });
}
