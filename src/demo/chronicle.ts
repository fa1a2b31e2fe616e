/**
 * Inserts records with their past: the audit events, the versions of certifications and the stored
 * row all derive from the same steps, so that they agree.
 */
import type { EntityClass } from '@mikro-orm/core';
import { insertRows } from '../database/change-statements.js';
import type { Database } from '../database/connection.js';
import { takeStamps } from '../database/record-changes.js';
import { keepStamp } from '../database/version-clock.js';
import { Certification } from '../entities/certification.js';
import { AuditEvent } from '../entities/change-log.js';
import { MemberJobRole } from '../entities/member.js';
import { demoId } from './ids.js';

type Row = Readonly<Record<string, unknown>>;

/** Who acted, and through which app. Null ids stand for the operator and for the portal. */
export interface Author {
  readonly userId: string | null;
  readonly appId: string | null;
}

export const operator: Author = { userId: null, appId: null };

/** One change of a record. */
export interface Step {
  /** Stamps follow this order. Equal instants of one organization are moved apart. */
  readonly at: string;
  readonly by: Author;
  readonly set: Row;
  readonly reason?: string | undefined;
}

/** A record of an organization. Its first step creates it. */
export interface Subject {
  readonly organizationId: string;
  readonly entity: EntityClass<object>;
  readonly key: Row;
  /** Columns that no event mentions. */
  readonly hidden?: Row;
  readonly steps: readonly Step[];
}

interface Stamped extends Step {
  readonly subject: Subject;
  readonly stamp: string;
}

/**
 * Inserts the subjects in the order given, which foreign keys determine.
 * @param isPast True: each step has its own instant. False: each step has a stamp of the clock, so
 * that clients that read the organization already miss nothing.
 */
export async function insertChronicle(
  tx: Database,
  subjects: readonly Subject[],
  isPast: (organizationId: string) => boolean,
): Promise<void> {
  const stamped: Stamped[] = [];
  const owners = [...Map.groupBy(subjects, ({ organizationId }) => organizationId)];
  for (const [id, own] of owners.sort(([one], [other]) => (one < other ? -1 : 1))) {
    const steps = own.flatMap((subject) => subject.steps.map((step) => ({ ...step, subject })));
    if (isPast(id)) {
      const [loaded] = await takeStamps(tx, id, 1);
      // No event has this stamp.
      await tx.query(keepStamp, [id, loaded]);
      stamped.push(...inPast(steps));
    } else {
      const stamps = await takeStamps(tx, id, steps.length);
      stamped.push(...steps.map((step, index) => ({ ...step, stamp: stamps[index] ?? '' })));
    }
  }
  const pasts = Map.groupBy(stamped, ({ subject }) => subject);
  const rows = subjects.map((subject) => [subject, rowOf(subject, pasts.get(subject))] as const);
  for (const [entity, each] of Map.groupBy(rows, ([subject]) => subject.entity))
    await insertRows(
      tx,
      entity,
      Object.keys(each[0]?.[1] ?? {}),
      each.map(([, row]) => row),
    );
  const events = [...pasts.values()].flatMap(eventsOf);
  if (events.length > 0) await insertRows(tx, AuditEvent, Object.keys(events[0] ?? {}), events);
  await insertVersions(tx, [...pasts.values()].flatMap(versionsOf));
}

/** Steps of one organization in order, a millisecond apart at least. */
function inPast(steps: readonly (Step & { readonly subject: Subject })[]): Stamped[] {
  let last = 0;
  return steps
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .map((step) => {
      last = Math.max(Date.parse(step.at), last + 1);
      return { ...step, stamp: new Date(last).toISOString() };
    });
}

/** The id of the request that made a change; the operator sends none. */
const requestOf = ({ by, subject, stamp }: Stamped): string | null =>
  by.userId === null ? null : demoId('request', `${subjectIdOf(subject)}/${stamp}`);

function subjectIdOf({ key }: Subject): string {
  const { organizationId: _, ...rest } = key;
  return Object.values(rest).join('/');
}

function rowOf({ entity, key, hidden }: Subject, past: readonly Stamped[] = []): Row {
  const [createdAt, updatedAt] = [past[0]?.stamp, past.at(-1)?.stamp];
  return {
    ...key,
    ...hidden,
    ...Object.assign({}, ...past.map(({ set }) => set)),
    createdAt,
    updatedAt,
    ...(entity === MemberJobRole && { assignedAt: createdAt }),
  };
}

function eventsOf(past: readonly Stamped[]): Row[] {
  const state: Record<string, unknown> = {};
  return past.map((step, index) => {
    const { subject, set, reason, stamp } = step;
    const changes: Record<string, readonly [before: unknown, after: unknown]> = {};
    for (const name in set) changes[name] = [state[name] ?? null, set[name] ?? null];
    if (reason) changes.reason = [null, reason];
    Object.assign(state, set);
    const subjectId = subjectIdOf(subject);
    return {
      id: demoId('audit-event', `${subjectId}/${stamp}`),
      organizationId: subject.organizationId,
      userId: step.by.userId,
      appId: step.by.appId,
      action: index === 0 ? 'create' : 'update',
      subjectType: subject.entity.name,
      subjectId,
      changes,
      requestId: requestOf(step),
      occurredAt: stamp,
    };
  });
}

function versionsOf(past: readonly Stamped[]): Row[] {
  let state: Row = {};
  return past.flatMap((step) => {
    const { subject, set, reason, stamp, by } = step;
    if (subject.entity !== Certification) return [];
    state = { ...state, ...set };
    return {
      organization_id: subject.organizationId,
      certification_id: subject.key.id,
      recorded_at: stamp,
      effective_on: stamp.slice(0, 10),
      organization_member_id: state.organizationMemberId,
      certification_type_id: state.certificationTypeId,
      source: state.source,
      issued_on: state.issuedOn,
      expires_on: state.expiresOn,
      issuer_name: state.issuerName,
      lifecycle_status: state.lifecycleStatus,
      verification_status: state.verificationStatus,
      verification_method: state.verificationMethod,
      reason,
      user_id: by.userId,
      app_id: by.appId,
      request_id: requestOf(step),
    };
  });
}

const insertVersions = (tx: Database, versions: readonly Row[]): Promise<object[]> =>
  tx.query(
    `insert into certification_history select * from jsonb_populate_recordset(null::certification_history, $1::jsonb)`,
    [JSON.stringify(versions)],
  );
