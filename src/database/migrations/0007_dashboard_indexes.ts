import { Migration } from '@mikro-orm/migrations';

/**
 * The sort orders of dashboards, each within one organization. The expressions are those of the
 * lists' orders (graph/certifications/filters.ts and graph/members/filters.ts): a record without an
 * expiry sorts after all others, one without an issue day before all others. Text search and
 * filters without an index are checked during a scan of one of these, so they read at most one
 * organization.
 */
export class DashboardIndexes extends Migration {
  override up(): void {
    this.addSql(`
      create index organization_members_by_name on organization_members (organization_id, left(lower(display_name), 60), id);
      create index member_job_roles_of_role on member_job_roles (organization_id, job_role_id, organization_member_id);
      create index certifications_by_end on certifications (organization_id, coalesce(expires_on, 'infinity'), id);
      create index certifications_by_issue on certifications (organization_id, coalesce(issued_on, '-infinity'), id);
      create index certifications_of_type_by_end on certifications (organization_id, certification_type_id, coalesce(expires_on, 'infinity'), id);
    `);
  }
}
