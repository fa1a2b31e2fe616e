/** Adds a member, once, however often it is run: the key is made from what is brought. */
import { createLanyard } from '@lanyard/client';

const { LANYARD_URL: baseUrl = '', TOKEN = '', ORGANIZATION: organization_id = '' } = process.env;
const lanyard = createLanyard({ baseUrl, token: () => TOKEN });

const { data } = await lanyard.post('/v1/organizations/{organization_id}/organization-members', {
  params: { path: { organization_id } },
  body: { email: 'third.climber@skyline.example', external_id: 'HR-0817' },
  headers: { 'Idempotency-Key': 'hr-0817-v1' },
});
console.log(data.status);
