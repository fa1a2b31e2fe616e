import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'graphql-sse';
import { connect } from '../../../src/database/connect.js';
import { Database } from '../../../src/database/connection.js';
import { type Change, recordChanges } from '../../../src/database/record-changes.js';
import { entities } from '../../../src/entities/tables.js';
import { type Body, startApp } from '../../support/app.js';
import { newCertification, nobody } from '../../support/changes.js';
import { ensure } from '../../support/expect.js';
import { graphOf } from '../../support/graph.js';
import { climberEmail, harborId, managerEmail, memberId, skylineId } from '../../support/names.js';
import { startServer } from '../../support/server.js';
import { openStream, type Stream } from '../../support/stream.js';

const app = await startApp();
const { db } = app;
const subscription = `subscription ($after: String, $first: Int, $organization: ID = "${skylineId}") {
  changes(organizationId: $organization, after: $after, first: $first) { nodes { kind resourceId changedAt record { ... on Certification { id } } } pageInfo { endCursor } } }`;
const open = async (
  variables: object = {},
  headers: Record<string, string> = {},
  base = app.base,
): Promise<Stream> =>
  openStream(base, await app.token(managerEmail), { query: subscription, variables }, headers);
const next = async (stream: Stream): Promise<Body> => {
  for (;;) {
    const event = await stream.next();
    if (event?.event !== ':') return event;
  }
};
const one = (): Change => newCertification(skylineId, memberId(climberEmail));
const writing = (...changes: Change[]) =>
  db.transaction((tx) => recordChanges(tx, nobody, changes));
const idsOf = (event: Body): string[] =>
  event.data.data.changes.nodes.map(({ resourceId }: Body) => resourceId);
const listening = () =>
  db.query(
    `select pid from pg_stat_activity where application_name = 'lanyard listener' and datname = current_database()`,
  );

describe('POST /graphql/stream', () => {
  it('tells where now is, then what happens, and goes on from an id after a break', async () => {
    const stream = await open();
    expect([stream.status, stream.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    const first = await next(stream);
    expect([first.event, idsOf(first), first.id]).toStrictEqual([
      'next',
      [],
      first.data.data.changes.pageInfo.endCursor,
    ]);
    const [a, b, c] = [one(), one(), one()];
    await writing(a);
    const second = await next(stream);
    expect([idsOf(second), second.data.data.changes.nodes[0].record]).toStrictEqual([
      [a.key.id],
      { id: a.key.id },
    ]);
    stream.stop();

    await writing(b, c);
    for (const resumed of [
      await open({}, { 'last-event-id': second.id }),
      await open({ after: second.id }),
    ]) {
      expect(idsOf(await next(resumed))).toStrictEqual([b.key.id, c.key.id]);
      resumed.stop();
    }
    const paged = await open({ first: 1 }, { 'last-event-id': first.id });
    expect([
      ...idsOf(await next(paged)),
      ...idsOf(await next(paged)),
      ...idsOf(await next(paged)),
    ]).toStrictEqual([a, b, c].map(({ key }) => key.id));
    paged.stop();
  });

  it('is spoken by the client of graphql-sse, which resumes', async () => {
    const token = await app.token(managerEmail);
    const client = createClient({
      url: `${app.base}/graphql/stream`,
      headers: { authorization: `Bearer ${token}` },
    });
    const results = client.iterate<Body>({ query: subscription });
    expect((await results.next()).value.data.changes.nodes).toEqual([]);
    const change = one();
    const [{ value }] = await Promise.all([results.next(), writing(change)]);
    expect(value.data.changes.nodes[0].resourceId).toBe(change.key.id);
    await results.return?.(undefined);
    client.dispose();
  });

  it('answers what is wrong as an event, and without a token as 401', async () => {
    const refused = async (body: object) => {
      const stream = await openStream(app.base, await app.token(managerEmail), body);
      const [error, complete, end] = [await next(stream), await next(stream), await next(stream)];
      expect([error.event, complete.event, end]).toStrictEqual(['next', 'complete', undefined]);
      return error.data.errors[0].extensions.code;
    };
    expect(await refused({ query: '{ me { user { id } } }' })).toBe('INVALID_REQUEST');
    expect(await refused({ query: 'subscription { nothing }' })).toBe('INVALID_REQUEST');
    expect(await refused({ query: 'subscription {' })).toBe('INVALID_REQUEST');
    expect(await refused({ query: subscription, variables: { after: 'x' } })).toBe(
      'VALIDATION_ERROR',
    );
    expect(await refused({ query: subscription, variables: { organization: harborId } })).toBe(
      'FORBIDDEN',
    );
    expect((await openStream(app.base, 'x', { query: subscription })).status).toBe(401);
    expect((await fetch(`${app.base}/graphql/stream`)).status).toBe(405);
    const { code } = await graphOf(app, managerEmail).refusal(subscription);
    expect(code).toBe('INVALID_REQUEST');
  });

  it('ends when the grant does', async () => {
    const stream = await open();
    await next(stream);
    await db.query('delete from grants where user_id = (select id from users where email = $1)', [
      climberEmail,
    ]);
    await writing(one());
    expect((await next(stream)).event).toBe('next');
    const grants = await db.query<{ id: string }>(
      'select id from grants where user_id = (select id from users where email = $1)',
      [managerEmail],
    );
    await db.query(
      `update grants set expires_at = now() - interval '1 second' where id = any($1)`,
      [grants.map(({ id }) => id)],
    );
    await writing(one());
    const [error, complete] = [await next(stream), await next(stream)];
    expect([error.data.errors[0].extensions.code, complete.event]).toEqual([
      'UNAUTHENTICATED',
      'complete',
    ]);
    await db.query(`update grants set expires_at = now() + interval '1 day' where id = any($1)`, [
      grants.map(({ id }) => id),
    ]);
  });

  it('refuses a person a twenty-first stream, until one is closed', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => open()));
    expect(new Set(streams.map(({ status }) => status))).toStrictEqual(new Set([200]));
    expect((await open()).status).toBe(429);
    streams[0]?.stop();
    await delay(100);
    const again = await open();
    expect(again.status).toBe(200);
    for (const stream of [...streams, again]) stream.stop();
    expect(await listening()).toHaveLength(1);
  });

  it('hears again after its connection to PostgreSQL was cut, and misses nothing', async () => {
    const stream = await open();
    await next(stream);
    const [{ pid } = { pid: 0 }] = (await listening()) as { pid: number }[];
    await db.query('select pg_terminate_backend($1::int, 1000)', [pid]);
    const change = one();
    await writing(change);
    const committed = performance.now();
    expect(idsOf(await next(stream))).toStrictEqual([change.key.id]);
    expect(performance.now() - committed).toBeLessThan(5000); // found by the next sign of life only
    stream.stop();
  });

  it('shows a write of another process within a second, and breaks off unfinished at SIGTERM', async () => {
    const other = await startServer({ DATABASE_URL: app.url, BASE_URL: app.config.BASE_URL });
    const stream = await open({}, {}, other.base);
    await next(stream);
    const waits: number[] = [];
    for (let round = 0; round < 5; round++) {
      const change = one();
      await writing(change);
      const committed = performance.now();
      expect(idsOf(await next(stream))).toStrictEqual([change.key.id]);
      waits.push(performance.now() - committed);
    }
    ensure(Math.max(...waits) < 1000, `${waits}`);
    const started = performance.now();
    other.child.kill('SIGTERM');
    expect(await next(stream).catch(() => undefined)).toBeUndefined();
    expect(await other.ended).toBe(0);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('8 writers, and a reader that is cut off and resumes again and again: nothing is missed, the order is kept', async () => {
    const first = await open();
    let cursor: string = (await next(first)).id;
    first.stop();
    const orm = await connect(app.url, { poolSize: 10, entities });
    const writers = new Database(orm.em);
    const written: string[] = [];
    let isWriting = true;
    const writeAll = Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let count = 0; count < 40; count++) {
          const changes = Array.from({ length: 1 + randomInt(5) }, one);
          const isLost = randomInt(5) === 0;
          await writers
            .transaction(async (tx) => {
              await delay(randomInt(20));
              await recordChanges(tx, nobody, changes);
              await delay(randomInt(3));
              if (isLost) throw new Error('planned');
            })
            .then(() => written.push(...changes.map(({ key }) => String(key.id))))
            .catch((error: Error) => expect(error.message).toBe('planned'));
        }
      }),
    ).then(async () => {
      // What is written last is committed for sure: a reader that has seen all waits for it, and
      // for no write that is lost.
      const last = one();
      await writers.transaction((tx) => recordChanges(tx, nobody, [last]));
      written.push(String(last.key.id));
      isWriting = false;
    });

    const seen: [id: string, changedAt: string][] = [];
    let breaks = 0;
    while (isWriting || seen.length < written.length) {
      const stream = await open({ first: 20 }, { 'last-event-id': cursor });
      for (
        let events = randomInt(1, 5);
        events > 0 && (isWriting || seen.length < written.length);
        events--
      ) {
        const event = await next(stream);
        cursor = event.id;
        seen.push(
          ...event.data.data.changes.nodes.map((node: Body) => [node.resourceId, node.changedAt]),
        );
      }
      stream.stop();
      breaks++;
    }
    await writeAll;
    await orm.close();
    const stamps = seen.map(([, changedAt]) => changedAt);
    expect(stamps).toStrictEqual([...new Set(stamps)].sort());
    expect(seen.map(([id]) => id).sort()).toStrictEqual(written.sort());
    console.info(
      `${written.length} changes by 8 writers, ${breaks} breaks, none missed, none twice, in order`,
    );
  });
});
