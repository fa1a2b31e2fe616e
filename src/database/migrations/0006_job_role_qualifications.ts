import { Migration } from '@mikro-orm/migrations';

/**
 * The qualifications that a job role needs, in order. Owned by the organization that owns the role.
 */
export class JobRoleQualifications extends Migration {
  override up(): void {
    this.addSql(`
      create table job_role_qualifications (
        organization_id uuid not null references organizations,
        job_role_id uuid not null references job_roles on delete cascade,
        qualification_id uuid not null references qualifications on delete cascade,
        position integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (job_role_id, qualification_id)
      );
    `);
  }
}
