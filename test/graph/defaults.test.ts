/**
 * Defaults of variables and of input fields hold, wherever a document or a client leaves a value
 * out.
 */
import { startApp } from '../support/app.js';
import { managerEmail, qualificationId, skylineId, typeId } from '../support/names.js';

const app = await startApp();
const ask = async (query: string, variables = {}) => {
  const { body } = await app.graphql(
    query,
    { organization: skylineId, ...variables },
    { token: await app.token(managerEmail) },
  );
  expect(body.errors).toBeUndefined();
  return body.data;
};

for (const type of ['Int', 'Int!']) {
  test(`a variable of the type ${type} has its default, and the client's value before it`, async () => {
    const query = `query ($organization: ID!, $n: ${type} = 2) { organizationMembers(organizationId: $organization, first: $n) { nodes { id } } }`;
    expect((await ask(query)).organizationMembers.nodes).toHaveLength(2);
    expect((await ask(query, { n: 3 })).organizationMembers.nodes).toHaveLength(3);
  });
}

test('a variable of an enumeration has its default', async () => {
  const query = `mutation ($organization: ID!, $type: ID!, $source: CertificationSource! = SELF_REPORTED) {
    createCertification(organizationId: $organization, input: { certificationTypeId: $type, source: $source }) { source }
  }`;
  expect((await ask(query, { type: typeId('osha-10') })).createCertification.source).toBe(
    'SELF_REPORTED',
  );
});

const input = {
  variable: '$input',
  document: `{ requirements: [{ certificationTypeId: "${typeId('osha-10')}" }] }`,
};
for (const [where, value] of Object.entries(input)) {
  test(`a field of an input object in the ${where} has its default`, async () => {
    const query = `mutation ($organization: ID!, $qualification: ID!${value === '$input' ? ', $input: RequirementsReplace!' : ''}) {
      replaceQualificationRequirements(organizationId: $organization, qualificationId: $qualification, input: ${value}) { isRequired }
    }`;
    const variables = {
      qualification: qualificationId('night-crew'),
      input: { requirements: [{ certificationTypeId: typeId('osha-10') }] },
    };
    expect((await ask(query, variables)).replaceQualificationRequirements).toStrictEqual([
      { isRequired: true },
    ]);
  });
}

test('one value does for a list of one', async () => {
  const query = `mutation ($organization: ID!, $qualification: ID!, $input: RequirementsReplace!) {
    replaceQualificationRequirements(organizationId: $organization, qualificationId: $qualification, input: $input) { certificationTypeId }
  }`;
  const certificationTypeId = typeId('rf-awareness');
  const variables = {
    qualification: qualificationId('night-crew'),
    input: { requirements: { certificationTypeId } },
  };
  expect((await ask(query, variables)).replaceQualificationRequirements).toStrictEqual([
    { certificationTypeId },
  ]);
});
