/**
 * Certification types, qualifications and job roles of the demo set: the standard ones of the
 * catalogue, and each tenant's own.
 */

import {
  jobRoleColumns,
  jobRoleTable,
  qualificationColumns,
  qualificationTable,
  typeColumns,
  typeTable,
} from '../catalogue/definitions.js';
import { words } from '../catalogue/table.js';
import { slugOf } from '../entities/definition.js';
import { ofEach } from './organizations.js';

const types = {
  catalogue: typeTable,
  'skyline-towers': `
    skyline-induction     · Skyline Site Induction                  · 12 · employer
    gin-pole-operator     · Gin Pole Operator                       · 24 · employer
    night-work            · Night Work Briefing                     · 12 · employer`,
  'harbor-fiber': `
    harbor-induction      · Harbor Yard Induction                   · 12 · employer
    bucket-truck-operator · Bucket Truck Operator                   · 36 · employer
    splice-assessment     · Fusion Splice Assessment                · 24 · employer`,
};

/** The last column is optional: types that are shown, but not needed to qualify. */
const qualifications = {
  catalogue: qualificationTable,
  'skyline-towers': `
    gin-pole-crew             · Gin Pole Crew             · gin-pole-operator cco-rigger-1 cco-signalperson competent-climber · skyline-induction
    night-crew                · Night Crew                · night-work skyline-induction osha-10 · first-aid-cpr-aed bloodborne-pathogens`,
  'harbor-fiber': `
    aerial-fiber-crew         · Aerial Fiber Crew         · bucket-truck-operator mewp-operator flagger · harbor-induction
    splice-lead               · Splice Lead               · foa-cfot splice-assessment confined-space osha-30 · first-aid-cpr-aed`,
};

const jobRoles = {
  catalogue: jobRoleTable,
  'skyline-towers': `
    Gin Pole Operator           · gin-pole-crew
    Night Crew Coordinator      · night-crew`,
  'harbor-fiber': `
    Aerial Lineworker           · aerial-fiber-crew
    Splice Crew Lead            · splice-lead`,
};

export const demoTypes = ofEach(typeColumns, types);

export const demoQualifications = ofEach(qualificationColumns, qualifications);

export const demoJobRoles = ofEach(jobRoleColumns, jobRoles).map((role) => ({
  ...role,
  slug: slugOf(role.name),
}));

/** The slugs of the types that people with a job role usually hold. */
export function typesOfJobRole(slug: string): string[] {
  const role = demoJobRoles.find((candidate) => candidate.slug === slug);
  const qualification = demoQualifications.find(
    (candidate) => candidate.slug === role?.qualification,
  );
  return words(qualification?.required ?? '');
}
