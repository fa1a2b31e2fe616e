/**
 * The standard definitions that Lanyard includes: `lanyard catalogue load` and the demo set publish
 * them.
 */
import { slugOf } from '../entities/definition.js';
import { parseTable, words } from './table.js';

/** The slug and name of the organization that publishes them, unless an operator names another. */
export const publisher = { slug: 'catalogue', name: 'Standard Catalogue' } as const;

/** Months of typical validity; empty where a certificate does not expire. */
export const typeTable = `
  nwsa-ttt1             · Telecommunications Tower Technician 1   · 60 · NWSA
  nwsa-ttt2             · Telecommunications Tower Technician 2   · 60 · NWSA
  nwsa-antenna-line     · Antenna and Line Specialty              · 60 · NWSA
  nwsa-foreman          · Foreman                                 · 60 · NWSA
  authorized-climber    · Authorized Climber/Rescuer              · 24 · training provider
  competent-climber     · Competent Climber                       · 24 · training provider
  competent-rescuer     · Competent Rescuer                       · 12 · training provider
  rf-awareness          · RF Safety Awareness                     · 12 · training provider
  osha-10               · OSHA 10-Hour Construction               ·    · OSHA-authorized trainer
  osha-30               · OSHA 30-Hour Construction               ·    · OSHA-authorized trainer
  first-aid-cpr-aed     · First Aid, CPR and AED                  · 24 · Red Cross, AHA or HSI
  bloodborne-pathogens  · Bloodborne Pathogens                    · 12 · employer
  hazwoper-refresher    · HAZWOPER Annual Refresher               · 12 · training provider
  forklift-operator     · Powered Industrial Truck Operator       · 36 · employer
  mewp-operator         · Aerial Work Platform Operator           · 36 · training provider
  cco-rigger-1          · Rigger Level I                          · 60 · CCO
  cco-signalperson      · Signalperson                            · 60 · CCO
  nfpa-70e              · Electrical Safety Qualified Person      · 36 · employer or provider
  confined-space        · Confined Space and Manhole Entry        · 12 · employer or provider
  flagger               · Traffic Control Flagger                 · 48 · ATSSA
  dot-medical           · DOT Medical Examiner's Certificate      · 24 · medical examiner
  faa-part-107          · Remote Pilot Recency                    · 24 · FAA
  eta-pim               · Passive Intermodulation Testing         · 48 · ETA International
  foa-cfot              · Certified Fiber Optic Technician        · 36 · FOA
  gwo-wah               · GWO Working at Height                   · 24 · GWO-certified provider`;

/** With the slugs of the required certification types. */
export const qualificationTable = `
  supervised-climber        · Supervised Climber        · authorized-climber rf-awareness osha-10 first-aid-cpr-aed
  lead-climber              · Lead Climber              · nwsa-ttt2 competent-climber competent-rescuer rf-awareness first-aid-cpr-aed
  antenna-line-installer    · Antenna Line Installer    · nwsa-ttt1 nwsa-antenna-line competent-climber rf-awareness
  tower-rescue-standby      · Tower Rescue Standby      · competent-climber competent-rescuer first-aid-cpr-aed bloodborne-pathogens
  site-foreman              · Site Foreman              · nwsa-foreman osha-30 competent-climber competent-rescuer rf-awareness
  pim-tester                · PIM Tester                · eta-pim rf-awareness osha-10
  rigging-crew              · Rigging Crew              · cco-rigger-1 cco-signalperson osha-10
  small-cell-installer      · Small Cell Installer      · mewp-operator nfpa-70e rf-awareness flagger
  underground-fiber-splicer · Underground Fiber Splicer · foa-cfot confined-space flagger osha-10
  drone-inspector           · Drone Inspector           · faa-part-107 rf-awareness osha-10`;

/** With the qualification that people with the role usually work for. */
export const jobRoleTable = `
  Apprentice Tower Climber    · supervised-climber
  Tower Technician I          · supervised-climber
  Tower Technician II         · lead-climber
  Antenna and Line Technician · antenna-line-installer
  Tower Foreman               · site-foreman
  PIM and Sweep Technician    · pim-tester
  Rigger                      · rigging-crew
  Small Cell Technician       · small-cell-installer
  OSP Fiber Splicer           · underground-fiber-splicer
  Drone Inspection Pilot      · drone-inspector`;

export const typeColumns = ['slug', 'title', 'months', 'issuer'] as const;
export const qualificationColumns = ['slug', 'name', 'required', 'optional'] as const;
export const jobRoleColumns = ['name', 'qualification'] as const;

type Row<Columns extends readonly string[]> = Readonly<Record<Columns[number], string>>;

/** The texts of a definition, from its row. */
export const typeTexts = ({ title, months, issuer }: Row<typeof typeColumns>) => ({
  title,
  description: `Issuer: ${issuer}. ${months ? `Typically valid for ${months} months.` : 'Does not expire.'}`,
});
export const qualificationTexts = ({ name }: Row<typeof qualificationColumns>) => ({
  name,
  description: `Site clearance: ${name}.`,
});
export const jobRoleTexts = ({ name, qualification }: Row<typeof jobRoleColumns>) => ({
  name,
  description: `Usually needs the qualification ${qualification}.`,
});

export const catalogueTypes = parseTable(typeColumns, typeTable).map((row) => ({
  slug: row.slug,
  ...typeTexts(row),
}));

export const catalogueQualifications = parseTable(qualificationColumns, qualificationTable).map(
  (row) => ({
    slug: row.slug,
    ...qualificationTexts(row),
    required: words(row.required),
  }),
);

export const catalogueJobRoles = parseTable(jobRoleColumns, jobRoleTable).map((row) => ({
  slug: slugOf(row.name),
  ...jobRoleTexts(row),
  qualification: row.qualification,
}));
