/**
 * Costs of work that the number of returned rows does not reflect, in values: 50,000 values of a
 * list take about 150 ms. Measured in an organization of 1,250 members with 12,500 records. One
 * operation can cover a year of past days, monthly for an organization or weekly for a member.
 */
interface Price {
  /** Cost of the field itself. */
  readonly always?: number;
  /** Cost of arguments that have a value. */
  readonly arguments?: Readonly<Record<string, number>>;
}

/** All records are scanned. */
const search: Price = { arguments: { q: 2500 } };
const searchOfFew: Price = { arguments: { q: 500 } };
/** All members are evaluated, from stored records or from the history of all records. */
const ofOrganization: Price = { always: 250, arguments: { asOf: 3800, knownAt: 3800 } };
const ofMember: Price = { arguments: { asOf: 200, knownAt: 200 } };

/** Every type of record is searched. */
const ofAnyType: Price = { always: 50 };

/** Costs by type and field. */
export const prices: Readonly<Record<string, Price>> = {
  'Query.certifications': search,
  'Query.node': ofAnyType,
  'Query.nodes': ofAnyType,
  'Query.organizationMembers': searchOfFew,
  'Query.qualifications': searchOfFew,
  'Query.readiness': ofOrganization,
  'Query.qualificationForecast': ofOrganization,
  'Query.previewRequirements': ofOrganization,
  'Query.planCrew': { always: 250, arguments: { day: 3800 } },
  'Query.qualificationResult': ofMember,
  'Query.qualificationResults': ofMember,
  'Query.myQualificationResult': ofMember,
  'OrganizationMember.qualificationResults': ofMember,
};

/** Days: stored records are sufficient for today and later. */
export const days: ReadonlySet<string> = new Set(['asOf', 'day']);
