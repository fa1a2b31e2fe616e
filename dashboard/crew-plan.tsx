/** The result of a crew plan: assignments, or the smallest gap. */
import { formatDay, formatList, t } from './language.js';
import { Crew, type CrewData, type CrewVariables } from './operations.js';
import { usePages } from './pages.js';
import { Answer, Export, Go, Name, Notice, Print } from './parts.js';
import type { View } from './view.js';

type Need = CrewData['planCrew']['needs'][number];

export function CrewPlan({ organizationId, day, needs }: View & { needs: CrewVariables['needs'] }) {
  const plan = usePages(Crew, { organizationId, day, needs });
  return (
    <Answer of={plan}>
      {({ planCrew }) => (
        <>
          <Notice kind={planCrew.isFilled ? 'good' : 'warning'}>
            <p>
              <strong>
                {planCrew.isFilled
                  ? t.crew.complete(formatDay(planCrew.day))
                  : t.crew.short(planCrew.missingCount, formatDay(planCrew.day))}
              </strong>
            </p>
            {planCrew.shortage && <p>{explain(planCrew.shortage, planCrew.needs)}</p>}
          </Notice>
          <div class="tools">
            <Export name={`${t.views.crew} ${planCrew.day}`} rows={() => rowsOf(planCrew.needs)} />
            <Print />
          </div>
          <div class="grid">
            {planCrew.needs.map((need) => (
              <Filled
                key={need.qualificationId}
                {...need}
                isGap={planCrew.shortage?.qualificationIds.includes(need.qualificationId) ?? false}
              />
            ))}
          </div>
        </>
      )}
    </Answer>
  );
}

type Shortage = NonNullable<CrewData['planCrew']['shortage']>;

function explain(
  { qualificationIds, neededCount, eligibleCount }: Shortage,
  needs: readonly Need[],
): string {
  const names = qualificationIds.flatMap((id) =>
    needs.flatMap((need) => (need.qualificationId === id ? need.qualification.name : [])),
  );
  return t.crew.shortage(formatList(names), names.length, neededCount, eligibleCount);
}

/** One row for each person, and for each place that no one fills. */
const rowsOf = (needs: readonly Need[]): string[][] => [
  [t.crew.qualification, t.crew.assigned],
  ...needs.flatMap(({ qualification, assigned, missingCount }) => [
    ...assigned.map(({ organizationMember }) => [
      qualification.name,
      organizationMember.displayName,
    ]),
    ...Array.from({ length: missingCount }, () => [qualification.name, '']),
  ]),
];

const Filled = ({
  qualificationId,
  qualification,
  count,
  missingCount,
  assigned,
  eligible,
  eligibleCount,
  isGap,
}: Need & { isGap: boolean }) => {
  const others = eligible.filter(
    ({ organizationMemberId: id }) =>
      !assigned.some(({ organizationMemberId }) => organizationMemberId === id),
  );
  return (
    <section class="card need">
      <div class="card-head">
        <h2>{qualification.name}</h2>
        <span class={`tag ${missingCount > 0 ? 'bad' : 'good'}`}>
          {t.crew.filled(assigned.length, count)}
        </span>
      </div>
      <ul class="ticks">
        {assigned.map(({ organizationMemberId, organizationMember }) => (
          <li key={organizationMemberId}>
            <Name of={{ id: organizationMemberId, displayName: organizationMember.displayName }} />{' '}
            <Go
              to={{ member: organizationMemberId, qualification: qualificationId }}
              class="small"
              label={t.whyOf(organizationMember.displayName)}
            >
              {t.why}
            </Go>
          </li>
        ))}
      </ul>
      {missingCount > 0 && <p class="miss">{t.crew.missing(missingCount)}</p>}
      {isGap && <p class="small">{t.crew.partOfGap}</p>}
      <p class="muted small">
        {eligibleCount === 0 ? t.crew.noneQualified : t.crew.qualified(eligibleCount)}
      </p>
      {others.length > 0 && (
        <details class="small">
          <summary>{t.crew.others}</summary>
          <p>
            {others.map(({ organizationMember }) => organizationMember.displayName).join(', ')}
            {eligibleCount > eligible.length && `, ${t.crew.more}`}
          </p>
        </details>
      )}
    </section>
  );
};
