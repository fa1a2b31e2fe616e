/** Short names for what tests ask about in the demo set. */
import { demoId } from '../../src/demo/ids.js';

export const adminEmail = 'admin@skyline.example';
export const managerEmail = 'manager@skyline.example';
export const climberEmail = 'climber@skyline.example';
/** Manager at skyline-towers, plain member at harbor-fiber. */
export const bothEmail = 'both@skyline.example';
export const suspendedEmail = 'renata.kaczmarek@skyline.example';

export const skylineId = demoId('organization', 'skyline-towers');
export const harborId = demoId('organization', 'harbor-fiber');
export const catalogueId = demoId('organization', 'catalogue');
export const skyline = `/v1/organizations/${skylineId}`;
export const harbor = `/v1/organizations/${harborId}`;
/** Nothing has this id. */
export const nothing = '00000000-0000-4000-8000-000000000000';

export const userId = (email: string) => demoId('user', email);
export const memberId = (email: string, organization = 'skyline-towers') =>
  demoId('member', `${organization}/${email}`);
export const typeId = (slug: string) => demoId('certification-type', slug);
export const qualificationId = (slug: string) => demoId('qualification', slug);
export const jobRoleId = (slug: string) => demoId('job-role', slug);
export const recordId = (email: string, type: string) =>
  demoId('certification', `skyline-towers/${email}/${type}`);
