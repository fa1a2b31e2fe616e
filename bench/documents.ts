/**
 * The GraphQL documents. Those of Lanyard run on the Apollo peer too; where a peer stands for a
 * REST call, it is asked for the same columns.
 */

const recordFields = `id organizationId organizationMemberId userId externalId externalSource certificationTypeId lifecycleStatus source issuedOn expiresOn
  issuerName serialNumber verificationStatus verificationMethod lastVerifiedAt createdAt updatedAt`;
const listFields =
  'id organizationMemberId lifecycleStatus source issuedOn expiresOn verificationStatus updatedAt';
const dashboardFields = 'id issuedOn expiresOn lifecycleStatus verificationStatus updatedAt';
const type = 'certificationType { id slug title }';
const typeWithStatus = 'certificationType { id slug title status }';

export const lanyard = {
  list: `query List($organizationId: ID!) {
    certifications(organizationId: $organizationId, first: 50) { nodes { ${listFields} ${type} } pageInfo { hasNextPage endCursor } } }`,
  dashboard: `query Dashboard($organizationId: ID!) {
    organizationMembers(organizationId: $organizationId, first: 50) { nodes { id displayName email
      certifications(first: 10) { nodes { ${dashboardFields} ${type} } } } } }`,
  matrix: `query Matrix($organizationId: ID!) {
    readiness(organizationId: $organizationId) { memberCount totals { qualificationId qualifiedCount }
      members(first: 50) { nodes { organizationMemberId cells { qualificationId status metRequirementCount totalRequirementCount } } } } }`,
};

export const apollo = {
  record: `query Get($organizationId: ID!, $id: ID!) { certification(organizationId: $organizationId, id: $id) { ${recordFields} validityStatus ${typeWithStatus} } }`,
  records: `query List($organizationId: ID!, $first: Int!, $externalSource: ExternalId, $updatedAfter: DateTime) {
    certifications(organizationId: $organizationId, first: $first, externalSource: $externalSource, updatedAfter: $updatedAfter) {
      nodes { ${recordFields} validityStatus ${typeWithStatus} } pageInfo { hasNextPage endCursor } } }`,
  create: `mutation Create($organizationId: ID!, $input: CertificationCreate!) {
    createCertification(organizationId: $organizationId, input: $input) { ${recordFields} validityStatus ${typeWithStatus} } }`,
};

/** As PostGraphile names what it finds in the database. */
const inPostgraphile = (fields: string): string =>
  fields
    .replace('certificationType {', 'certificationType: certificationTypeByCertificationTypeId {')
    .replaceAll(/\bid\b/g, 'id: rowId');
const oldestFirst = 'orderBy: [UPDATED_AT_ASC, PRIMARY_KEY_ASC]';
const orderDigest = '3eb321baf7';
const all = inPostgraphile(`${recordFields} ${typeWithStatus}`);

export const postgraphile = {
  record: `query Get($organizationId: UUID!, $id: UUID!) {
    certificationByOrganizationIdAndRowId(organizationId: $organizationId, rowId: $id) { ${all} } }`,
  records: `query List($organizationId: UUID!, $first: Int!, $after: Cursor) {
    allCertifications(condition: { organizationId: $organizationId }, first: $first, after: $after, ${oldestFirst}) {
      nodes { ${all} } pageInfo { hasNextPage endCursor } } }`,
  filtered: `query List($organizationId: UUID!, $first: Int!, $externalSource: String) {
    allCertifications(condition: { organizationId: $organizationId, externalSource: $externalSource }, first: $first, ${oldestFirst}) {
      nodes { ${all} } pageInfo { hasNextPage endCursor } } }`,
  me: `query Me($id: UUID!) { userByRowId(rowId: $id) { id: rowId email displayName }
    allOrganizationMembers(condition: { userId: $id }) { nodes { memberId: rowId role isPrimary
      organizationByOrganizationId { id: rowId slug name
        appApprovalsByOrganizationId { nodes { scopes appByAppId { clientId name apiScopes } } } } } } }`,
  list: `query List($organizationId: UUID!) {
    allCertifications(condition: { organizationId: $organizationId }, first: 50, ${oldestFirst}) {
      nodes { ${inPostgraphile(`${listFields} ${type}`)} } pageInfo { hasNextPage endCursor } } }`,
  dashboard: `query Dashboard($organizationId: UUID!) {
    allOrganizationMembers(condition: { organizationId: $organizationId }, first: 50, ${oldestFirst}) { nodes { id: rowId displayName email
      certificationsByOrganizationIdAndOrganizationMemberId(first: 10, ${oldestFirst}) { nodes { ${inPostgraphile(`${dashboardFields} ${type}`)} } } } } }`,
  create: `mutation Create($organizationId: UUID!, $input: PeerNewCertificationInput!, $caller: UUID!, $app: UUID!, $key: String) {
    peerCreateRecord(input: { inOrganization: $organizationId, record: $input, caller: $caller, app: $app, key: $key }) { certification: result { ${all} } } }`,
  /**
   * The position behind a record in a list that is ordered so; it begins with the digest that
   * PostGraphile has for the order.
   */
  cursor: (updatedAt: string, organizationId: string, id: string): string =>
    Buffer.from(JSON.stringify([orderDigest, updatedAt, organizationId, id])).toString('base64'),
};
