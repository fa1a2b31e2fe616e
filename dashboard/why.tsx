/** Explains why a member is qualified or not, by requirement, and what is missing. */
import { useEffect, useRef } from 'preact/hooks';
import { dayAfter } from '../src/scalars/day.js';
import { longDay } from './days.js';
import { Why, type WhyData } from './operations.js';
import { usePages } from './pages.js';
import { Answer } from './parts.js';
import { go, place } from './place.js';
import { Sign } from './standing.js';
import type { View } from './view.js';
import { actionOf, missOf, recordOf } from './words.js';

type Result = WhyData['qualificationResult'];

/**
 * A panel beside the page. Escape, the button and the browser's back button close it, and focus
 * returns.
 */
export function WhyPanel({ organizationId, day }: View) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { member, qualification } = place.value;
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  const why = usePages(Why, {
    organizationId,
    memberId: member,
    qualificationId: qualification,
    asOf: day,
  });
  const close = () => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      class="panel"
      aria-labelledby="why"
      onClose={() => go({ member: '', qualification: '' })}
    >
      <button type="button" class="button plain close" onClick={close}>
        Close
      </button>
      <h2 id="why">Why?</h2>
      <Answer of={why} lines={8}>
        {({ organizationMember, qualificationResult }) => (
          <Standing name={organizationMember.displayName} result={qualificationResult} />
        )}
      </Answer>
    </dialog>
  );
}

const Standing = ({ name, result }: { name: string; result: Result }) => {
  const { status, since, lostOn, asOf, metRequirementCount, totalRequirementCount } = result;
  const isQualified = status === 'QUALIFIED';
  return (
    <>
      <p class="who-what">
        <strong>{name}</strong>
        <br />
        {result.qualification.name}
      </p>
      <p>
        <span class={`tag ${isQualified ? 'good' : 'bad'}`}>
          {isQualified ? 'Qualified' : 'Not qualified'}
        </span>{' '}
        on {longDay(asOf)}
        {since && `, since ${longDay(since)}`}
        {lostOn && `, until ${longDay(dayAfter(lostOn, -1))}`}
      </p>
      <Actions result={result} />
      <h3>
        Requirements{' '}
        <span class="muted">{`${metRequirementCount} of ${totalRequirementCount} met`}</span>
      </h3>
      {result.requirements.length === 0 && (
        <p class="muted">No requirements are defined yet, so no one is qualified.</p>
      )}
      <ul class="rows requirements">
        {result.requirements.map((requirement) => (
          <Requirement key={requirement.certificationType.id} {...requirement} />
        ))}
      </ul>
    </>
  );
};

const Actions = ({ result: { actions } }: { result: Result }) =>
  actions.length === 0 ? null : (
    <>
      <h3>What would be enough</h3>
      <ol class="todo">
        {actions.map((action) => (
          <li key={action.certificationType.id}>{actionOf(action)}</li>
        ))}
      </ol>
    </>
  );

const Requirement = ({
  isMet,
  isRequired,
  certificationType,
  certification,
  metUntil,
  reason,
  reasonDay,
}: Result['requirements'][number]) => (
  <li>
    <Sign look={isMet ? 'good' : isRequired ? 'bad' : 'none'} />
    <div>
      <strong>{certificationType.title}</strong>
      {!isRequired && <span class="tag">optional</span>}
      <p class={isMet ? '' : 'miss'}>
        {isMet
          ? metUntil
            ? `Met until ${longDay(metUntil)}`
            : 'Met, with no end'
          : missOf(reason, reasonDay)}
      </p>
      {certification && <p class="muted small">{recordOf(certification)}</p>}
    </div>
  </li>
);
