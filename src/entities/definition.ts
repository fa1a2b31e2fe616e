import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { enumOf } from '../scalars/enum-of.js';
import { DateTime, Slug, UUID } from '../scalars/scalars.js';
import { Node } from './node.js';

export const definitionScopes = ['standard', 'organization'] as const;
export type DefinitionScope = (typeof definitionScopes)[number];
export const DefinitionScope = enumOf(
  'DefinitionScope',
  'The organizations that can use a definition.',
  definitionScopes,
  {
    standard: 'Every organization can use the definition: it belongs to the shared catalogue.',
    organization: 'Only the organization that owns the definition can use it.',
  },
);

export const definitionStatuses = ['active', 'archived'] as const;
export type DefinitionStatus = (typeof definitionStatuses)[number];
export const DefinitionStatus = enumOf(
  'DefinitionStatus',
  'The status of a definition.',
  definitionStatuses,
  {
    active: 'The definition is in use.',
    archived: 'Existing records keep the definition; new records cannot use it.',
  },
);

/**
 * The common properties of certification types, qualifications and job roles: owned by one
 * organization, readable by all when `standard`.
 */
@ObjectType({ implements: Node, simpleResolvers: true })
export abstract class Definition {
  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the definition.' })
  id!: string;

  @Property({ type: 'uuid' })
  @Field(() => UUID, { description: 'The organization that owns the definition.' })
  organizationId!: string;

  @Property({ type: 'text' })
  @Field(() => Slug, { description: 'The slug, unique in the owning organization.' })
  slug!: string;

  @Property({ type: 'text' })
  @Field({ description: 'The description; empty text when there is none.' })
  description!: string;

  @Property({ type: 'text' })
  @Field(() => DefinitionScope, { description: 'The organizations that can use the definition.' })
  scope!: DefinitionScope;

  @Property({ type: 'text' })
  @Field(() => DefinitionStatus, {
    description: 'The status of the definition: `active` or `archived`.',
  })
  status!: DefinitionStatus;

  @Property({ type: 'string', columnType: 'timestamptz' })
  @Field(() => DateTime, { description: 'The time at which the definition was created.' })
  createdAt!: string;

  @Property({ type: 'string', columnType: 'timestamptz' })
  @Field(() => DateTime, {
    description: 'The time of the last change. Serves as the version of the definition.',
  })
  updatedAt!: string;
}

@Entity({ tableName: 'certification_types' })
@ObjectType({
  description: 'A kind of certification, such as a first-aid certificate.',
  simpleResolvers: true,
})
export class CertificationType extends Definition {
  @Property({ type: 'text' })
  @Field({ description: 'The title.' })
  title!: string;
}

@Entity({ tableName: 'qualifications' })
@ObjectType({
  description: 'A named set of required certification types. A member who holds them is qualified.',
  simpleResolvers: true,
})
export class Qualification extends Definition {
  @Property({ type: 'text' })
  @Field({ description: 'The name.' })
  name!: string;
}

@Entity({ tableName: 'job_roles' })
@ObjectType({
  description: 'A role of members on site. It can require qualifications.',
  simpleResolvers: true,
})
export class JobRole extends Definition {
  @Property({ type: 'text' })
  @Field({ description: 'The name.' })
  name!: string;
}

/**
 * A certification type in the requirements of a qualification. `position` keeps the order of the
 * set.
 */
@Entity({ tableName: 'qualification_requirements' })
@ObjectType({
  description: 'A certification type that a qualification requires or lists as optional.',
  simpleResolvers: true,
})
export class QualificationRequirement {
  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the qualification.' })
  qualificationId!: string;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the certification type.' })
  certificationTypeId!: string;

  @Property({ type: 'uuid' })
  organizationId!: string;

  @Property({ type: 'boolean' })
  @Field({
    description:
      'Whether the certification type is required; an optional one does not affect the result.',
  })
  isRequired!: boolean;

  @Property({ type: 'integer' })
  position!: number;

  @Property({ type: 'string', columnType: 'timestamptz' })
  @Field(() => DateTime, { description: 'The time at which the requirement was added.' })
  createdAt!: string;

  @Property({ type: 'string', columnType: 'timestamptz' })
  @Field(() => DateTime, { description: 'The time of the last change of the requirement.' })
  updatedAt!: string;
}

/**
 * Derives a slug from a title: `Rigger Level I` → `rigger-level-i`. Empty when the title has no
 * basic Latin letter or digit.
 */
export const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/g, '');
