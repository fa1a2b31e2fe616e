/**
 * Behavior of MikroORM that is not documented, verified against MikroORM 7.2.1 and Kysely 0.29.6.
 * Only this file and entity-manager.ts rely on it; test/database/mikro-orm-internals.test.ts fails
 * when it changes.
 */
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { type EntityClass, MikroORM, type Options, StringType, Type } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import type { Pool } from './pool.js';

/** The verified versions. Read the test before you raise them. */
export const verifiedVersions = { '@mikro-orm/postgresql': '7.2.1', kysely: '0.29.6' } as const;

/** Discovers tables and columns without a connection; an empty `dbName` is refused. */
export const readMetadata = (entities: EntityClass<object>[]) =>
  new MikroORM({
    entities,
    dbName: 'none',
    metadataProvider: ReflectMetadataProvider,
    logger: () => {},
  }).getMetadata();

/** An ORM whose driver uses a pool of ours. Its `close` ends the pool. */
export async function initOrm(
  url: string,
  pool: Pool,
  options: Pick<Options, 'entities' | 'migrations' | 'driver' | 'entityManager'>,
): Promise<MikroORM> {
  const orm = await MikroORM.init({
    ...options,
    clientUrl: url,
    driverOptions: new PostgresDialect({ pool }),
    metadataProvider: ReflectMetadataProvider,
    discovery: {
      warnWhenNoEntities: false,
      // The text from PostgreSQL: a `Date` would cut the microseconds.
      getMappedType: (type, platform) =>
        type === 'timestamptz' ? Type.getType(StringType) : platform.getDefaultMappedType(type),
    },
    ensureDatabase: false,
    preferReadReplicas: false,
    // Failures reject; MikroORM has nothing else to report.
    logger: () => {},
  });
  // Kysely ends the pool only if it has used it. An open pool keeps the process alive.
  const close = orm.close.bind(orm);
  orm.close = async (force) => {
    await close(force);
    if (!pool.ending) await pool.end();
  };
  return orm;
}
