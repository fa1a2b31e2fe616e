/** The entities say of the tables what the migrations made of them. */
import type { EntityClass } from '@mikro-orm/core';
import { entities } from '../../src/entities/tables.js';
import { startApp } from '../support/app.js';

interface Column {
  readonly name: string;
  readonly isNullable: boolean;
  readonly type: string;
}

const app = await startApp();
const kinds: Readonly<Record<string, string>> = {
  timestamptz: 'timestamp with time zone',
  'text[]': 'ARRAY',
  int: 'integer',
};

for (const entity of entities) {
  const meta = app.db.em.getMetadata().get(entity as EntityClass<object>);
  test(`${meta.className}: every column of ${meta.tableName}, by its name, its type and whether it may be null`, async () => {
    const columns = await app.db.query<Column>(
      `select column_name as name, is_nullable = 'YES' as "isNullable", data_type as type from information_schema.columns
       where table_schema = 'public' and table_name = $1 order by column_name`,
      [meta.tableName],
    );
    const properties = meta.props
      // A relation beside the property of its column.
      .filter(({ persist }) => persist !== false)
      .map(({ fieldNames, nullable, columnTypes }): Column => {
        const type = columnTypes[0]?.replace(/\(.*\)/, '') ?? '';
        return {
          name: fieldNames[0] ?? '',
          isNullable: nullable ?? false,
          type: kinds[type] ?? type,
        };
      });
    expect(properties.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toStrictEqual(
      columns,
    );
  });
}
