/** The people of the demo set, who all sign in with one password. */

import { parseTable, words } from '../catalogue/table.js';
import { slugOf } from '../entities/definition.js';
import { dayAfter } from '../scalars/day.js';
import { foundedOn, ofEach } from './organizations.js';

/** The password of every demo user who can sign in. */
export const demoPassword = 'climb-safe-2026';

/** The people to sign in as, with a description of each. */
export const demoPeople = parseTable(
  ['email', 'is'],
  `
    admin@skyline.example   · admin of skyline-towers
    manager@skyline.example · manager of skyline-towers
    climber@skyline.example · plain member of skyline-towers, with certifications
    admin@harbor.example    · admin of harbor-fiber
    both@skyline.example    · manager at skyline-towers (primary), plain member at harbor-fiber`,
);

/**
 * The first job role is the primary one. Defaults: role `member`, status `active`, the e-mail
 * address `first.last@` the tenant's domain.
 */
const people: Record<string, string> = {
  'skyline-towers': `
    Rosalind Achebe     ·                                             · admin      ·           · admin@skyline.example
    Marcus Delgado      · tower-foreman                               · manager    ·           · manager@skyline.example
    Jonah Tsosie        · tower-technician-i                          ·            ·           · climber@skyline.example
    Priya Raman         · pim-and-sweep-technician                    · manager    ·           · both@skyline.example
    Ingrid Solheim      · night-crew-coordinator                      · dispatcher
    Tomás Echeverría    · tower-foreman gin-pole-operator             · foreman
    Keisha Broussard    · tower-foreman                               · foreman
    Desta Alemu         · tower-technician-ii
    Wyatt Kowalczyk     · tower-technician-ii gin-pole-operator
    Mei-Ling Zhou       · tower-technician-ii
    Caleb Stone         · tower-technician-ii
    Amara Okonkwo       · tower-technician-ii rigger
    Luca Ferrante       · tower-technician-ii
    Siobhan Gallagher   · antenna-and-line-technician
    Hassan Qureshi      · antenna-and-line-technician
    Bianca Teixeira     · antenna-and-line-technician pim-and-sweep-technician
    Darnell Simmons     · antenna-and-line-technician
    Noelani Kahale      · antenna-and-line-technician
    Viktor Petrenko     · antenna-and-line-technician rigger
    Ruth Abernathy      · tower-technician-i
    Mateo Villanueva    · tower-technician-i
    Tamika Reynolds     · tower-technician-i
    Kenji Nakamura      · tower-technician-i
    Owen Llewellyn      · tower-technician-i
    Fatima El-Sayed     · tower-technician-i drone-inspection-pilot
    Beau Thibodeaux     · apprentice-tower-climber
    Zainab Yusuf        · apprentice-tower-climber
    Colton Begay        · apprentice-tower-climber
    Hana Dvořáková      · apprentice-tower-climber
    Elias Haddad        · pim-and-sweep-technician
    Grace Mwangi        · pim-and-sweep-technician
    Dale Hutchins       · rigger gin-pole-operator
    Yolanda Cisneros    · rigger
    Arjun Mehta         · small-cell-technician
    Latoya Fontaine     · small-cell-technician
    Sam Tran            · drone-inspection-pilot
    Renata Kaczmarek    · tower-technician-ii                         ·            · suspended
    Isaiah Pruitt       · apprentice-tower-climber                    ·            · invited
    Linnea Bergström    · antenna-and-line-technician                 ·            · invited
    Jamal Whitaker      · small-cell-technician                       ·            · invited`,
  'harbor-fiber': `
    Dolores Quintana    ·                                             · admin      ·           · admin@harbor.example
    Priya Raman         · osp-fiber-splicer                           ·            ·           · both@skyline.example
    Walter Ogilvie      · splice-crew-lead                            · manager
    Thandiwe Nkosi      · splice-crew-lead                            · foreman
    Rafael Montoya      · aerial-lineworker                           · foreman
    Chidi Eze           · osp-fiber-splicer
    Molly Prescott      · osp-fiber-splicer
    Andrej Horvat       · osp-fiber-splicer
    Leilani Akana       · osp-fiber-splicer
    Terrence Gaines     · osp-fiber-splicer
    Soo-Jin Baek        · osp-fiber-splicer splice-crew-lead
    Nadia Rahimi        · osp-fiber-splicer
    Curtis Yellowhorse  · osp-fiber-splicer
    Paloma Arce         · aerial-lineworker
    Dmitri Volkov       · aerial-lineworker
    Ebony Lattimore     · aerial-lineworker small-cell-technician
    Finn McAllister     · aerial-lineworker
    Sana Iqbal          · aerial-lineworker
    Joaquín Rentería    · small-cell-technician
    Abigail Thorne      · small-cell-technician
    Minh Pham           · small-cell-technician osp-fiber-splicer
    Greta Lindqvist     · osp-fiber-splicer aerial-lineworker
    Omar Farouk         · aerial-lineworker                           ·            · suspended
    Shanice Holloway    · osp-fiber-splicer                           ·            · invited
    Peter Vanderwal     · aerial-lineworker                           ·            · invited`,
};

/** A membership; `number` counts the members from 0. */
export type Person = (typeof persons)[number];

/** All people, once for each organization that they are members of. */
export const persons = ofEach(['name', 'jobRoles', 'role', 'status', 'email'], people)
  .map(({ organization, number, ...row }) => {
    const [firstName = '', ...rest] = words(row.name);
    const lastName = rest.join(' ');
    return {
      organization,
      number,
      firstName,
      lastName,
      email: row.email || `${slugOf(firstName)}.${slugOf(lastName)}@${organization.domain}`,
      jobRoles: words(row.jobRoles),
      role: row.role || 'member',
      status: row.status || 'active',
    };
  })
  // A person's first organization is the primary one.
  .map((person, index, all) => ({
    ...person,
    isPrimary: all.findIndex(({ email }) => email === person.email) === index,
  }));

/** The day on which a person joined. Invited people come last. */
export const joinedOn = ({ organization, number, status }: Person, day: string): string =>
  status === 'invited'
    ? dayAfter(day, -3 - (number % 5))
    : dayAfter(
        foundedOn(organization, day),
        10 + ((number * 14) % (Number(organization.age) - 40)),
      );
