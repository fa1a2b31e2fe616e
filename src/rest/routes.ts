/**
 * The route table of REST: one row per operation, in the order of the specification. Path and query
 * parameters are the variables of the operation with the same name, `$body` is the request body,
 * and the selection of the operation is the response body.
 */

/**
 * Kind of response: one record (200), a new record (201), a page, a complete set, or no content
 * (204).
 */
export type Reply = 'record' | 'created' | 'page' | 'set' | 'nothing';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  /** A named operation in schema/operations. */
  readonly operation: string;
  readonly reply: Reply;
  /** `Location` of a new record; `{id}` is its id. */
  readonly location?: string;
  /** The group of the operation in the specification. */
  readonly group: 'Me' | 'Certifications' | 'Organizations' | 'Definitions';
}

/** Whether the operation changes an existing record, so that it supports `If-Match`. */
export const isConditional = ({ method }: Route): boolean =>
  method === 'PATCH' || method === 'PUT' || method === 'DELETE';

const organization = '/v1/organizations/{organization_id}';
const member = `${organization}/organization-members/{organization_member_id}`;

const row = (
  method: Route['method'],
  path: string,
  operation: string,
  reply: Reply,
  group: Route['group'],
  location?: string,
): Route => ({
  method,
  path,
  operation,
  reply,
  group,
  ...(location && { location }),
});

// biome-ignore format: a table
export const routes: readonly Route[] = [
  row('POST',   '/v1/certifications',                                           'CreateMyCertification',     'created', 'Certifications', '/v1/certifications/{id}'),
  row('POST',   `${organization}/certifications`,                               'CreateCertification',       'created', 'Organizations'),
  row('GET',    '/v1/certifications',                                           'ListMyCertifications',      'page',    'Certifications'),
  row('GET',    '/v1/certifications/{certification_id}',                        'GetMyCertification',        'record',  'Certifications'),
  row('GET',    `${organization}/certifications`,                               'ListCertifications',        'page',    'Organizations'),
  row('PATCH',  `${organization}/certifications/{certification_id}`,            'UpdateCertification',       'record',  'Organizations'),
  row('GET',    '/v1/organizations',                                            'ListOrganizations',         'page',    'Organizations'),
  row('GET',    organization,                                                   'GetOrganization',           'record',  'Organizations'),
  row('POST',   `${organization}/organization-members`,                         'CreateOrganizationMember',  'created', 'Organizations'),
  row('GET',    `${organization}/organization-members`,                         'ListOrganizationMembers',   'page',    'Organizations'),
  row('GET',    `${organization}/job-roles`,                                    'ListJobRoles',              'page',    'Organizations'),
  row('PATCH',  `${organization}/job-roles/{job_role_id}`,                      'UpdateJobRole',             'record',  'Organizations'),
  row('PUT',    `${member}/job-roles/{job_role_id}`,                            'AssignJobRole',             'record',  'Organizations'),
  row('DELETE', `${member}/job-roles/{job_role_id}`,                            'RemoveJobRole',             'nothing', 'Organizations'),
  row('POST',   `${organization}/certification-types`,                          'CreateCertificationType',   'created', 'Organizations', `${organization}/certification-types/{id}`),
  row('GET',    `${organization}/certification-types`,                          'ListCertificationTypes',    'page',    'Organizations'),
  row('GET',    `${organization}/certification-types/{certification_type_id}`,  'GetCertificationType',      'record',  'Organizations'),
  row('GET',    '/v1/certification-types/{certification_type_id}',              'DiscoverCertificationType', 'record',  'Definitions'),
  row('POST',   `${organization}/qualifications`,                               'CreateQualification',       'created', 'Organizations', `${organization}/qualifications/{id}`),
  row('GET',    `${organization}/qualifications`,                               'ListQualifications',        'page',    'Organizations'),
  row('GET',    `${organization}/qualifications/{qualification_id}`,            'GetQualification',          'record',  'Organizations'),
  row('GET',    '/v1/qualifications',                                           'DiscoverQualifications',    'page',    'Definitions'),
  row('GET',    `${organization}/qualifications/{qualification_id}/requirements`, 'ListRequirements',        'set',     'Organizations'),
  row('PUT',    `${organization}/qualifications/{qualification_id}/requirements`, 'ReplaceRequirements',     'set',     'Organizations'),
  row('GET',    '/v1/qualification-results/{qualification_id}',                 'GetMyResult',               'record',  'Certifications'),
  row('GET',    `${member}/qualifications`,                                     'ListResults',               'page',    'Organizations'),
  row('GET',    '/v1/me',                                                       'GetMe',                     'record',  'Me'),
];
