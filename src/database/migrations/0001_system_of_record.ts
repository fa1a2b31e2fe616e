import { Migration } from '@mikro-orm/migrations';

/**
 * Keys: rows of one organization have the primary key (organization_id, id), so that every index
 * starts with the organization and a reference cannot cross into another. Definitions may be shared
 * (`standard`), so they are referenced by id alone.
 * Lists scan (organization_id, updated_at, id); `updated_at` comes from organization_clocks, never
 * from the wall clock (see database/version-clock.ts).
 */
export class SystemOfRecord extends Migration {
  override up(): void {
    this.addSql(`
      create table users (
        id uuid primary key,
        email text not null check (email <> ''),
        display_name text not null default '',
        password_hash text,
        status text not null default 'active' check (status in ('active', 'disabled')),
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create unique index users_email_key on users (lower(email));

      create table organizations (
        id uuid primary key,
        name text not null,
        slug text not null constraint organizations_slug_key unique,
        status text not null default 'active' check (status in ('active', 'suspended')),
        is_publisher boolean not null default false,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create index organizations_publishers on organizations (id) where is_publisher;

      create table organization_clocks (
        organization_id uuid primary key references organizations,
        ticked_at timestamptz not null
      ) with (fillfactor = 50);

      create table organization_members (
        organization_id uuid not null references organizations,
        id uuid not null,
        user_id uuid not null references users,
        email text not null,
        display_name text not null default '',
        first_name text not null default '',
        last_name text not null default '',
        role text not null default 'member',
        status text not null check (status in ('active', 'invited', 'suspended')),
        is_primary boolean not null default false,
        external_id text not null default '',
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (organization_id, id),
        constraint organization_members_user_key unique (organization_id, user_id)
      );
      create index organization_members_page on organization_members (organization_id, updated_at, id);
      create unique index organization_members_email_key on organization_members (organization_id, lower(email));
      create unique index organization_members_external_id_key on organization_members (organization_id, external_id) where external_id <> '';
      create index organization_members_of_user on organization_members (user_id);
      create unique index organization_members_primary_key on organization_members (user_id) where is_primary;
    `);

    for (const [table, name] of [
      ['certification_types', 'title'],
      ['qualifications', 'name'],
      ['job_roles', 'name'],
    ]) {
      this.addSql(`
        create table ${table} (
          id uuid primary key,
          organization_id uuid not null references organizations,
          slug text not null,
          ${name} text not null,
          description text not null default '',
          scope text not null check (scope in ('standard', 'organization')),
          status text not null default 'active' check (status in ('active', 'archived')),
          created_at timestamptz not null,
          updated_at timestamptz not null,
          constraint ${table}_slug_key unique (organization_id, slug)
        );
        create index ${table}_page on ${table} (organization_id, updated_at, id) where scope = 'organization';
        create index ${table}_standard_page on ${table} (updated_at, id) where scope = 'standard';
      `);
    }

    this.addSql(`
      create index qualifications_evaluation on qualifications (organization_id, id) where status = 'active' and scope = 'organization';
      create index qualifications_standard_evaluation on qualifications (id) where status = 'active' and scope = 'standard';

      create table qualification_requirements (
        organization_id uuid not null references organizations,
        qualification_id uuid not null references qualifications on delete cascade,
        certification_type_id uuid not null references certification_types,
        is_required boolean not null default true,
        position integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (qualification_id, certification_type_id)
      );

      create table member_job_roles (
        organization_id uuid not null,
        organization_member_id uuid not null,
        job_role_id uuid not null references job_roles,
        is_primary boolean not null default false,
        assigned_at timestamptz not null default clock_timestamp(),
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (organization_id, organization_member_id, job_role_id),
        foreign key (organization_id, organization_member_id) references organization_members
      );
      create unique index member_job_roles_primary_key on member_job_roles (organization_id, organization_member_id) where is_primary;

      create table certifications (
        organization_id uuid not null,
        id uuid not null,
        organization_member_id uuid not null,
        user_id uuid references users,
        external_id text,
        external_source text,
        certification_type_id uuid not null references certification_types,
        lifecycle_status text not null default 'active' check (lifecycle_status in ('active', 'revoked', 'archived')),
        source text not null check (source in ('manual', 'import', 'api', 'self-reported')),
        issued_on date,
        expires_on date,
        issuer_name text,
        serial_number text,
        verification_status text not null default 'unverified' check (verification_status in ('unverified', 'pending', 'verified', 'failed')),
        verification_method text,
        last_verified_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (organization_id, id),
        foreign key (organization_id, organization_member_id) references organization_members,
        constraint certifications_dates_check check (expires_on >= issued_on),
        constraint certifications_verified_check check (verification_status not in ('verified', 'failed') or last_verified_at is not null)
      );
      create index certifications_page on certifications (organization_id, updated_at, id);
      create index certifications_of_member_page on certifications (organization_id, organization_member_id, updated_at, id);
      create index certifications_evaluation on certifications (organization_id, organization_member_id, certification_type_id);
      create unique index certifications_external_id_key on certifications (organization_id, external_id, external_source)
        nulls not distinct where external_id is not null;
      create index certifications_external_source_page on certifications (organization_id, external_source, updated_at, id)
        where external_source is not null;

      create table apps (
        id uuid primary key,
        client_id text not null constraint apps_client_id_key unique,
        name text not null,
        token_endpoint_auth_method text not null
          check (token_endpoint_auth_method in ('none', 'client_secret_basic', 'client_secret_post')),
        redirect_uris text[] not null default '{}',
        api_scopes text[] not null default '{}',
        is_first_party boolean not null default false,
        status text not null default 'active' check (status in ('active', 'disabled')),
        owner_id uuid references users,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );

      create table app_approvals (
        organization_id uuid not null references organizations,
        app_id uuid not null references apps on delete cascade,
        scopes text[] not null,
        approved_by uuid references users,
        approved_at timestamptz not null,
        primary key (organization_id, app_id)
      );
      create index app_approvals_of_app on app_approvals (app_id);

      create table grants (
        id text primary key,
        app_id uuid not null references apps on delete cascade,
        user_id uuid not null references users on delete cascade,
        payload jsonb not null default '{}',
        created_at timestamptz not null default now(),
        expires_at timestamptz not null
      );
      create index grants_of_user on grants (user_id);
      create index grants_of_app on grants (app_id);

      create table signing_keys (
        kid text primary key,
        purpose text not null check (purpose in ('access_token', 'id_token')),
        algorithm text not null,
        private_jwk jsonb not null,
        created_at timestamptz not null default now(),
        active_from timestamptz not null default now(),
        retires_at timestamptz
      );

      create table idempotency_records (
        app_id uuid not null references apps on delete cascade,
        user_id uuid not null references users on delete cascade,
        key text not null,
        fingerprint text not null,
        status integer,
        headers json,
        body text,
        created_at timestamptz not null default clock_timestamp(),
        expires_at timestamptz not null,
        primary key (app_id, user_id, key)
      );
      create index idempotency_records_expiry on idempotency_records (expires_at);

      create table audit_events (
        id uuid not null,
        organization_id uuid references organizations,
        user_id uuid references users,
        app_id uuid references apps on delete set null,
        action text not null,
        subject_type text not null,
        subject_id text not null,
        changes jsonb not null,
        request_id text,
        occurred_at timestamptz not null,
        primary key (id)
      );
      create index audit_events_page on audit_events (organization_id, occurred_at, id);
    `);
  }
}
