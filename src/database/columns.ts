/** Tables and their columns, from MikroORM's metadata. */
import type { EntityClass } from '@mikro-orm/core';
import { entities } from '../entities/tables.js';
import { readMetadata } from './mikro-orm-internals.js';

export interface Table {
  readonly name: string;
  /** The column of each property: `externalId` → `external_id`. */
  readonly columns: Readonly<Record<string, string>>;
}

function readTables(): ReadonlyMap<EntityClass<object>, Table> {
  const metadata = readMetadata(entities);
  return new Map(
    entities.map((entity: EntityClass<object>) => {
      const { tableName, props } = metadata.get(entity);
      const columns = Object.fromEntries(
        props.flatMap(({ name, fieldNames: [column] = [], persist }) =>
          column && persist !== false ? [[name, column]] : [],
        ),
      );
      return [entity, { name: tableName, columns }];
    }),
  );
}

const tables = readTables();

/** @throws {Error} when `entity` is not in `entities/tables.ts`. */
export function tableOf(entity: EntityClass<object>): Table {
  const table = tables.get(entity);
  if (!table) throw new Error(`${entity.name} is not among the entities.`);
  return table;
}
