/** The result of a crew plan: assignments, or the smallest gap. */
import { longDay } from './days.js';
import { Crew, type CrewData, type CrewVariables } from './operations.js';
import { usePages } from './pages.js';
import { Answer, Go, Notice } from './parts.js';
import type { View } from './view.js';

type Need = CrewData['planCrew']['needs'][number];

const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

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
                  ? `The crew is complete on ${longDay(planCrew.day)}.`
                  : `The crew is ${people(planCrew.missingCount)} short on ${longDay(planCrew.day)}.`}
              </strong>
            </p>
            {planCrew.shortage && <p>{planCrew.shortage.explanation}</p>}
          </Notice>
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
        <span
          class={`tag ${missingCount > 0 ? 'bad' : 'good'}`}
        >{`${assigned.length} of ${count}`}</span>
      </div>
      <ul class="ticks">
        {assigned.map(({ organizationMemberId, organizationMember }) => (
          <li key={organizationMemberId}>
            <Go to={{ member: organizationMemberId, qualification: qualificationId }}>
              {organizationMember.displayName}
            </Go>
          </li>
        ))}
      </ul>
      {missingCount > 0 && <p class="miss">{people(missingCount)} missing</p>}
      {isGap && <p class="small">Part of the gap.</p>}
      <p class="muted small">
        {eligibleCount === 0
          ? 'No one is qualified on this day.'
          : `${eligibleCount} qualified in all.`}
      </p>
      {others.length > 0 && (
        <details class="small">
          <summary>Who else could go</summary>
          <p>
            {others.map(({ organizationMember }) => organizationMember.displayName).join(', ')}
            {eligibleCount > eligible.length && ', and more'}
          </p>
        </details>
      )}
    </section>
  );
};
