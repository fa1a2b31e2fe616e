/** Certification types, qualifications and job roles of the demo set: the standard ones of the catalogue, and each tenant's own. */
import { slugOf } from '../../entities/definition.js';
import { ofEach } from './organizations.js';
import { words } from './table.js';

/** Months are the typical validity; none where a certificate doesn't expire. */
const types = {
  catalogue: `
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
    gwo-wah               · GWO Working at Height                   · 24 · GWO-certified provider`,
  'skyline-towers': `
    skyline-induction     · Skyline Site Induction                  · 12 · employer
    gin-pole-operator     · Gin Pole Operator                       · 24 · employer
    night-work            · Night Work Briefing                     · 12 · employer`,
  'harbor-fiber': `
    harbor-induction      · Harbor Yard Induction                   · 12 · employer
    bucket-truck-operator · Bucket Truck Operator                   · 36 · employer
    splice-assessment     · Fusion Splice Assessment                · 24 · employer`,
};

/** The last column is optional: it is shown, and not needed to qualify. */
const qualifications = {
  catalogue: `
    supervised-climber        · Supervised Climber        · authorized-climber rf-awareness osha-10 first-aid-cpr-aed
    lead-climber              · Lead Climber              · nwsa-ttt2 competent-climber competent-rescuer rf-awareness first-aid-cpr-aed
    antenna-line-installer    · Antenna Line Installer    · nwsa-ttt1 nwsa-antenna-line competent-climber rf-awareness
    tower-rescue-standby      · Tower Rescue Standby      · competent-climber competent-rescuer first-aid-cpr-aed bloodborne-pathogens
    site-foreman              · Site Foreman              · nwsa-foreman osha-30 competent-climber competent-rescuer rf-awareness
    pim-tester                · PIM Tester                · eta-pim rf-awareness osha-10
    rigging-crew              · Rigging Crew              · cco-rigger-1 cco-signalperson osha-10
    small-cell-installer      · Small Cell Installer      · mewp-operator nfpa-70e rf-awareness flagger
    underground-fiber-splicer · Underground Fiber Splicer · foa-cfot confined-space flagger osha-10
    drone-inspector           · Drone Inspector           · faa-part-107 rf-awareness osha-10`,
  'skyline-towers': `
    gin-pole-crew             · Gin Pole Crew             · gin-pole-operator cco-rigger-1 cco-signalperson competent-climber · skyline-induction
    night-crew                · Night Crew                · night-work skyline-induction osha-10 · first-aid-cpr-aed bloodborne-pathogens`,
  'harbor-fiber': `
    aerial-fiber-crew         · Aerial Fiber Crew         · bucket-truck-operator mewp-operator flagger · harbor-induction
    splice-lead               · Splice Lead               · foa-cfot splice-assessment confined-space osha-30 · first-aid-cpr-aed`,
};

/** With the qualification that people of the role usually work for. */
const jobRoles = {
  catalogue: `
    Apprentice Tower Climber    · supervised-climber
    Tower Technician I          · supervised-climber
    Tower Technician II         · lead-climber
    Antenna and Line Technician · antenna-line-installer
    Tower Foreman               · site-foreman
    PIM and Sweep Technician    · pim-tester
    Rigger                      · rigging-crew
    Small Cell Technician       · small-cell-installer
    OSP Fiber Splicer           · underground-fiber-splicer
    Drone Inspection Pilot      · drone-inspector`,
  'skyline-towers': `
    Gin Pole Operator           · gin-pole-crew
    Night Crew Coordinator      · night-crew`,
  'harbor-fiber': `
    Aerial Lineworker           · aerial-fiber-crew
    Splice Crew Lead            · splice-lead`,
};

export const demoTypes = ofEach(['slug', 'title', 'months', 'issuer'], types);

export const demoQualifications = ofEach(['slug', 'name', 'required', 'optional'], qualifications);

export const demoJobRoles = ofEach(['name', 'qualification'], jobRoles).map((role) => ({ ...role, slug: slugOf(role.name) }));

/** The slugs of the types that people of a job role usually hold. */
export function typesOfJobRole(slug: string): string[] {
  const role = demoJobRoles.find((candidate) => candidate.slug === slug);
  const qualification = demoQualifications.find((candidate) => candidate.slug === role?.qualification);
  return words(qualification?.required ?? '');
}
