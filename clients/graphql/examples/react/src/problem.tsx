/** What a failed request means to the person, and what they can do. */
import { LanyardGraphQLError } from '@lanyard/graphql';
import { useEffect, useEffectEvent, useState } from 'react';
import { SignedOut, signIn } from './session.js';

interface Explanation {
  readonly title: string;
  readonly advice: string;
  readonly needsSignIn?: boolean;
  /** Seconds after which the page tries again. */
  readonly retryAfter?: number;
}

/** Seconds between attempts while the server does not respond. */
const awayRetry = 10;

export function explain(error: unknown): Explanation {
  if (error instanceof SignedOut) return ended;
  if (!(error instanceof LanyardGraphQLError))
    return { title: 'The page failed.', advice: String(error) };
  const { code, message, details, requestId, retryAfter } = error;
  const scope = String(details?.required_scope ?? '');
  switch (code) {
    case 'UNAUTHENTICATED':
      return ended;
    case 'INSUFFICIENT_SCOPE':
      return {
        title: `This app lacks the scope ${scope}.`,
        advice: 'Its owner can add the scope in the developer portal of Lanyard.',
      };
    case 'APPROVAL_REQUIRED':
      return {
        title: 'Your organization has not approved this app.',
        advice: `Ask an admin to approve ${scope} under App approvals in the portal.`,
      };
    case 'FORBIDDEN':
      return { title: 'You cannot read these records.', advice: message };
    case 'RATE_LIMITED':
      return {
        title: 'There were too many requests.',
        advice: 'The page waits as long as the server asks.',
        retryAfter: retryAfter ?? awayRetry,
      };
    case 'NO_RESPONSE':
    case 'SERVICE_UNAVAILABLE':
    case 'HTTP_502':
    case 'HTTP_503':
    case 'HTTP_504':
      return {
        title: 'Lanyard does not respond.',
        advice: 'Check your connection. What you see may be out of date.',
        retryAfter: retryAfter ?? awayRetry,
      };
    default:
      return {
        title: 'The records could not be read.',
        advice: requestId ? `${message} (request ${requestId})` : message,
      };
  }
}

const ended: Explanation = {
  title: 'Your sign-in has ended.',
  advice: 'Sign in again to continue.',
  needsSignIn: true,
};

export function Problem({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry: () => void;
}) {
  const { title, advice, needsSignIn, retryAfter } = explain(error);
  return (
    <section className="problem" role="alert">
      <p>
        <strong>{title}</strong> {advice}
      </p>
      {needsSignIn ? (
        <button type="button" onClick={() => void signIn()}>
          Sign in again
        </button>
      ) : (
        <button type="button" onClick={onRetry}>
          Try again
          {retryAfter !== undefined && (
            <Countdown error={error} seconds={retryAfter} onEnd={onRetry} />
          )}
        </button>
      )}
    </section>
  );
}

/**
 * Calls `onEnd` once for each error. It is not announced: a screen reader would read every second.
 */
function Countdown(props: {
  readonly error: unknown;
  readonly seconds: number;
  readonly onEnd: () => void;
}) {
  const { error, seconds } = props;
  const [left, setLeft] = useState(seconds);
  const end = useEffectEvent(props.onEnd);
  useEffect(() => {
    const endsAt = Date.now() + seconds * 1000;
    setLeft(seconds);
    const timer = setInterval(() => {
      const rest = Math.ceil((endsAt - Date.now()) / 1000);
      setLeft(rest);
      if (rest > 0) return;
      clearInterval(timer);
      end();
    }, 500);
    return () => clearInterval(timer);
  }, [error, seconds]);
  return left > 0 && <span aria-hidden="true"> ({left} s)</span>;
}
