/** API scopes, each with the sentence that consent and portal pages show. */
export const scopes = {
  'organizations:read': 'See your organizations: names, short names and status',
  'organizations:write': 'Change the details of your organizations',
  'organization_members:read':
    'See the members of your organizations: names, e-mail addresses, roles and status',
  'organization_members:write': 'Add, invite and change members of your organizations',
  'certification_types:read': 'See the kinds of certification that your organizations use',
  'certification_types:write': 'Add and change kinds of certification',
  'certification_records:read':
    'See certification records: holders, dates, issuers and verification',
  'certification_records:write': 'Add and change certification records',
  'qualifications:read': 'See qualifications and what they require',
  'qualifications:write': 'Add and change qualifications and what they require',
  'job_roles:read': 'See job roles and who holds them',
  'job_roles:write': 'Change job roles and who holds them',
} as const;

export type ApiScope = keyof typeof scopes;

export const apiScopes = Object.keys(scopes) as ApiScope[];

const families: Record<string, string> = { certifications: 'certification_records' };

/**
 * Returns the scope for a spelling (`organization-members:read`, `certifications:write`), or
 * undefined for an unknown one.
 */
export function parseScope(text: string): ApiScope | undefined {
  const [family = '', action] = text.replaceAll('-', '_').split(':');
  const name = `${families[family] ?? family}:${action}`;
  return name in scopes ? (name as ApiScope) : undefined;
}
