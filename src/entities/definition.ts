import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

export const definitionScopes = ['standard', 'organization'] as const;
export const definitionStatuses = ['active', 'archived'] as const;
export type DefinitionScope = (typeof definitionScopes)[number];
export type DefinitionStatus = (typeof definitionStatuses)[number];

/** What certification types, qualifications and job roles share: owned by one organization, read by all when `standard`. */
export abstract class Definition {
  @PrimaryKey({ type: 'uuid' }) id!: string;
  @Property({ type: 'uuid' }) organizationId!: string;
  @Property({ type: 'text' }) slug!: string;
  @Property({ type: 'text' }) description!: string;
  @Property({ type: 'text' }) scope!: DefinitionScope;
  @Property({ type: 'text' }) status!: DefinitionStatus;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) updatedAt!: string;
}

@Entity({ tableName: 'certification_types' })
export class CertificationType extends Definition {
  @Property({ type: 'text' }) title!: string;
}

@Entity({ tableName: 'qualifications' })
export class Qualification extends Definition {
  @Property({ type: 'text' }) name!: string;
}

@Entity({ tableName: 'job_roles' })
export class JobRole extends Definition {
  @Property({ type: 'text' }) name!: string;
}

/** Ties a qualification to a certification type. `position` keeps the order in which the set was given. */
@Entity({ tableName: 'qualification_requirements' })
export class QualificationRequirement {
  @PrimaryKey({ type: 'uuid' }) qualificationId!: string;
  @PrimaryKey({ type: 'uuid' }) certificationTypeId!: string;
  @Property({ type: 'uuid' }) organizationId!: string;
  @Property({ type: 'boolean' }) isRequired!: boolean;
  @Property({ type: 'integer' }) position!: number;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) updatedAt!: string;
}

/** A slug from a title: `Rigger Level I` → `rigger-level-i`. Empty when the title has no letter or digit of the basic alphabet. */
export const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/g, '');
