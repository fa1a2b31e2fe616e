import { Migration } from '@mikro-orm/migrations';

/**
 * The state of each certification record after each change, for «as of a day» and «as known at an
 * instant» (rules/history.ts). For records from before this table only the present state is
 * known: it was recorded when they last changed, and is effective since they were created.
 */
export class History extends Migration {
  override up(): void {
    this.addSql(`
      create table certification_history (
        organization_id uuid not null,
        certification_id uuid not null,
        recorded_at timestamptz not null,
        effective_on date not null,
        organization_member_id uuid not null,
        certification_type_id uuid not null references certification_types,
        source text not null,
        issued_on date,
        expires_on date,
        issuer_name text,
        lifecycle_status text not null,
        verification_status text not null,
        verification_method text,
        reason text,
        user_id uuid references users,
        app_id uuid references apps on delete set null,
        request_id text,
        primary key (organization_id, certification_id, recorded_at),
        foreign key (organization_id, certification_id) references certifications,
        foreign key (organization_id, organization_member_id) references organization_members
      );
      create index certification_history_of_member
        on certification_history (organization_id, organization_member_id, certification_type_id);

      insert into certification_history (organization_id, certification_id, recorded_at, effective_on, organization_member_id,
        certification_type_id, source, issued_on, expires_on, issuer_name, lifecycle_status, verification_status, verification_method)
      select organization_id, id, updated_at, (created_at at time zone 'utc')::date, organization_member_id,
        certification_type_id, source, issued_on, expires_on, issuer_name, lifecycle_status, verification_status, verification_method
      from certifications;

      create index certifications_of_issuer on certifications (organization_id, lower(issuer_name), issued_on) where issuer_name is not null;
    `);
  }
}
