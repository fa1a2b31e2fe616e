/**
 * Recording a certification through the unit of work: the same key, tick, row, version and audit as
 * everywhere.
 */
import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { ref, type SqlEntityManager } from '@mikro-orm/postgresql';
import { AuditEvent } from '../../src/entities/change-log.js';
import { type Caller, Refused } from '../floor/caller.js';
import {
  CertificationEntity,
  MemberEntity,
  type NewCertification,
  TypeEntity,
} from './entities.js';

const tick = `insert into organization_clocks as clock (organization_id, ticked_at) values (?, clock_timestamp())
  on conflict (organization_id) do update set ticked_at = greatest(clock_timestamp(), clock.ticked_at + interval '1 microsecond') returning ticked_at as at`;

const version = `insert into certification_history (organization_id, certification_id, recorded_at, effective_on, organization_member_id, certification_type_id, source,
    issued_on, expires_on, issuer_name, lifecycle_status, verification_status, user_id, app_id)
  select organization_id, id, updated_at, (updated_at at time zone 'utc')::date, organization_member_id, certification_type_id, source, issued_on,
    expires_on, issuer_name, lifecycle_status, verification_status, ?, ? from certifications where organization_id = ? and id = ?`;

const claim = `insert into idempotency_records (app_id, user_id, key, fingerprint, expires_at) values (?, ?, ?, ?, now() + interval '24 hours')`;
const store = `update idempotency_records set status = 200, body = ? where app_id = ? and user_id = ? and key = ?`;

export const record = (
  em: SqlEntityManager,
  { userId, appId }: Caller,
  organizationId: string,
  input: NewCertification,
  key?: string,
): Promise<CertificationEntity> =>
  em.transactional(async (tx) => {
    if (key) await tx.execute(claim, [appId, userId, key, JSON.stringify(input)]);
    const member = await tx.findOne(MemberEntity, {
      organizationId,
      id: input.organizationMemberId,
    });
    const type = await tx.findOne(TypeEntity, { id: input.certificationTypeId });
    if (!member || type?.status !== 'active') throw new Refused(422);
    const [{ at } = { at: '' }] = await tx.execute<{ at: string }[]>(tick, [organizationId]);
    const { certificationTypeId, ...given } = input;
    const made = Object.assign(new CertificationEntity(), given, {
      ...{
        organizationId,
        id: randomUUIDv7(),
        userId: member.userId,
        source: 'api',
        createdAt: at,
        updatedAt: at,
      },
      certificationTypeEntity: ref(type),
    });
    const changes = Object.fromEntries(
      Object.entries(input).map(([name, value]) => [name, [null, value]]),
    );
    const event = {
      id: randomUUIDv7(),
      organizationId,
      userId,
      appId,
      action: 'create',
      subjectType: 'Certification',
      subjectId: made.id,
      changes,
    };
    tx.persist([
      made,
      Object.assign(new AuditEvent(), event, { requestId: randomUUID(), occurredAt: at }),
    ]);
    await tx.flush();
    await tx.execute(version, [userId, appId, organizationId, made.id]);
    if (key) await tx.execute(store, [JSON.stringify(made), appId, userId, key]);
    return made;
  });
