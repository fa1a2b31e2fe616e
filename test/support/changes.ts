/** Changes for `recordChanges`, where HTTP would be too slow or can't be held open. */
import { randomUUID } from 'node:crypto';
import type { Actor, Change } from '../../src/database/record-changes.js';
import { Certification } from '../../src/entities/certification.js';
import { CertificationType } from '../../src/entities/definition.js';
import { Organization } from '../../src/entities/organization.js';
import { catalogueId, typeId } from './names.js';

export const nobody: Actor = { userId: null, appId: null, requestId: null };

/** What tells the records made here from those of the demo set. */
export const marker = 'made-by-test';

export const newCertification = (organizationId: string, organizationMemberId: string): Change => ({
  organizationId,
  entity: Certification,
  key: { organizationId, id: randomUUID() },
  set: {
    organizationMemberId,
    certificationTypeId: typeId('rf-awareness'),
    externalSource: marker,
    source: 'api',
    lifecycleStatus: 'active',
    verificationStatus: 'unverified',
  },
});

/** A standard one in the catalogue, one of its own in any other organization. */
export function newCertificationType(organizationId: string): Change {
  const id = randomUUID();
  const scope = organizationId === catalogueId ? 'standard' : 'organization';
  const set = {
    organizationId,
    slug: `${marker}-${id}`,
    title: marker,
    description: '',
    scope,
    status: 'active',
  };
  return { organizationId, entity: CertificationType, key: { id }, set };
}

export const renameOrganization = (id: string): Change => ({
  organizationId: id,
  entity: Organization,
  key: { id },
  set: { name: randomUUID() },
  from: {},
});

/** A change of nothing but the stamp. */
export const touch = ({ organizationId, entity, key }: Change): Change => ({
  organizationId,
  entity,
  key,
  set: {},
  from: {},
});
