/** The starter catalogue: standard definitions without people, for any database. */
import { randomUUIDv7 } from 'node:crypto';
import type { EntityClass } from '@mikro-orm/core';
import { parse, v5 as uuidv5 } from 'uuid';
import {
  catalogueJobRoles,
  catalogueQualifications,
  catalogueTypes,
  publisher,
} from '../../catalogue/definitions.js';
import type { Database } from '../../database/connection.js';
import { type Change, recordChanges } from '../../database/record-changes.js';
import {
  CertificationType,
  JobRole,
  Qualification,
  QualificationRequirement,
} from '../../entities/definition.js';
import { JobRoleQualification } from '../../entities/job-role-qualification.js';
import { Organization } from '../../entities/organization.js';
import { ApiError } from '../../errors.js';
import { operator } from './people.js';

export interface Loaded {
  /** The slug of the organization that publishes the definitions. */
  readonly organization: string;
  readonly isNew: boolean;
  /** Definitions that were added, and existing ones, which stay unchanged. */
  readonly added: number;
  readonly unchanged: number;
  /**
   * Slugs of catalogue definitions that `org publisher --off` had made the organization's own, and
   * that are standard again.
   */
  readonly restored: readonly string[];
  /** Slugs of qualifications and job roles that need an archived or non-standard definition. */
  readonly leftOut: readonly string[];
}

/**
 * Adds the missing definitions of the starter catalogue to an organization, and makes existing
 * ones, recognized by id, standard again. Texts, requirements and status of definitions with such
 * an id, or with the same slug, belong to the organization and stay unchanged.
 * @param slug Default: the organization `catalogue`, which is created if it is missing.
 * @throws {ApiError} `not_found`, or `conflict` when the organization is not a publisher.
 */
export const loadCatalogue = (db: Database, slug?: string): Promise<Loaded> =>
  db.transaction(async (tx) => {
    // Excludes concurrent loads.
    await tx.query(`select pg_advisory_xact_lock(hashtext('lanyard catalogue'))`);
    const { id, isNew } = await publisherOf(tx, slug);
    const catalogue = new Catalogue(tx, id);
    for (const { slug: own, title, description } of catalogueTypes)
      await catalogue.add('type', own, { title, description });
    for (const qualification of catalogueQualifications)
      await catalogue.addQualification(qualification);
    for (const role of catalogueJobRoles) await catalogue.addJobRole(role);
    await recordChanges(tx, operator, catalogue.changes);
    const { added, unchanged, restored, leftOut } = catalogue;
    return {
      organization: slug ?? publisher.slug,
      isNew,
      added,
      unchanged,
      restored: [...restored.values()],
      leftOut,
    };
  });

async function publisherOf(
  tx: Database,
  slug: string = publisher.slug,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const [found] = await tx.query<{ id: string; isPublisher: boolean }>(
    'select id, is_publisher as "isPublisher" from organizations where slug = $1 for no key update',
    [slug],
  );
  if (found?.isPublisher) return { id: found.id, isNew: false };
  if (found) {
    throw new ApiError(
      'conflict',
      `${slug} does not publish standard definitions: run “lanyard org publisher ${slug}” first.`,
    );
  }
  if (slug !== publisher.slug)
    throw new ApiError(
      'not_found',
      `There is no organization ${slug}: “lanyard org list” shows them all.`,
    );
  const id = randomUUIDv7();
  const set = { name: publisher.name, slug, status: 'active', isPublisher: true };
  await recordChanges(tx, operator, [
    { organizationId: id, entity: Organization, key: { id }, set },
  ]);
  return { id, isNew: true };
}

const kinds = {
  type: [CertificationType, 'certification_types'],
  qualification: [Qualification, 'qualifications'],
  'job-role': [JobRole, 'job_roles'],
} as const satisfies Record<string, readonly [EntityClass<object>, string]>;
type Kind = keyof typeof kinds;

interface Found {
  readonly id: string;
  readonly slug: string;
  readonly scope: 'standard' | 'organization';
  readonly status: string;
}

/** The references of a definition, which must be standard as well. */
const needs: Partial<Record<Kind, string>> = {
  qualification: `select t.id, t.scope from qualification_requirements r join certification_types t on t.id = r.certification_type_id
    where r.qualification_id = $1`,
  'job-role': `select q.id, q.scope from job_role_qualifications n join qualifications q on q.id = n.qualification_id where n.job_role_id = $1`,
};

/** Collects the rows to write. */
class Catalogue {
  readonly changes: Change[] = [];
  /** Slugs by id. */
  readonly restored = new Map<string, string>();
  readonly leftOut: string[] = [];
  added = 0;
  unchanged = 0;
  /** Ids of definitions that others can use, by kind and slug of the catalogue. */
  private readonly usable = new Map<string, string>();

  constructor(
    private readonly tx: Database,
    private readonly organizationId: string,
  ) {}

  /** @returns The id of a new definition; undefined if it exists. */
  async add(kind: Kind, slug: string, texts: object): Promise<string | undefined> {
    const [entity] = kinds[kind];
    const found = await this.find(kind, slug);
    if (found) {
      const isStandard = await this.keep(kind, slug, found);
      if (isStandard && found.status === 'active') this.usable.set(`${kind}/${slug}`, found.id);
      return undefined;
    }
    const id = this.idOf(kind, slug);
    this.usable.set(`${kind}/${slug}`, id);
    this.added++;
    this.change(
      entity,
      { id },
      { organizationId: this.organizationId, slug, ...texts, scope: 'standard', status: 'active' },
    );
    return id;
  }

  /**
   * Makes an existing definition standard again if it is the catalogue's.
   * @returns Whether it is standard.
   */
  private async keep(kind: Kind, slug: string, found: Found): Promise<boolean> {
    if (found.scope === 'standard' || found.id !== this.idOf(kind, slug)) {
      this.unchanged++;
      return found.scope === 'standard';
    }
    const needed = needs[kind]
      ? await this.tx.query<Pick<Found, 'id' | 'scope'>>(needs[kind], [found.id])
      : [];
    if (needed.some(({ id, scope }) => scope !== 'standard' && !this.restored.has(id))) {
      this.leftOut.push(found.slug);
      return false;
    }
    this.restored.set(found.id, found.slug);
    const [entity] = kinds[kind];
    const change = { set: { scope: 'standard' }, from: { scope: found.scope } };
    this.changes.push({
      organizationId: this.organizationId,
      entity,
      key: { id: found.id },
      ...change,
    });
    return true;
  }

  async addQualification({
    slug,
    required,
    ...texts
  }: (typeof catalogueQualifications)[number]): Promise<void> {
    const types = required.map((type) => this.usable.get(`type/${type}`));
    if (types.includes(undefined) && !(await this.find('qualification', slug))) {
      this.leftOut.push(slug);
      return;
    }
    const qualificationId = await this.add('qualification', slug, texts);
    if (!qualificationId) return;
    for (const [position, certificationTypeId] of types.entries()) {
      const set = { organizationId: this.organizationId, isRequired: true, position };
      this.change(QualificationRequirement, { qualificationId, certificationTypeId }, set);
    }
  }

  async addJobRole({
    slug,
    qualification,
    ...texts
  }: (typeof catalogueJobRoles)[number]): Promise<void> {
    const jobRoleId = await this.add('job-role', slug, texts);
    const qualificationId = this.usable.get(`qualification/${qualification}`);
    if (!jobRoleId || !qualificationId) return;
    this.change(
      JobRoleQualification,
      { jobRoleId, qualificationId },
      { organizationId: this.organizationId, position: 0 },
    );
  }

  private change(
    entity: EntityClass<object>,
    key: Record<string, unknown>,
    set: Record<string, unknown>,
  ): void {
    this.changes.push({ organizationId: this.organizationId, entity, key, set });
  }

  /** Also by its original id, because the organization may have changed its slug. */
  private async find(kind: Kind, slug: string): Promise<Found | undefined> {
    const [found] = await this.tx.query<Found>(
      `select id, slug, scope, status from ${kinds[kind][1]}
       where organization_id = $1 and (id = $2 or slug = $3) order by id = $2 desc limit 1`,
      [this.organizationId, this.idOf(kind, slug), slug],
    );
    return found;
  }

  private idOf = (kind: Kind, slug: string): string =>
    uuidv5(Buffer.from(`${kind}/${slug}`), parse(this.organizationId));
}
