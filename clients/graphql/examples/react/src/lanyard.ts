/** The client of the API, and two hooks that use it. */
import {
  createLanyardGraphQL,
  Follow,
  LanyardGraphQLError,
  type Operation,
  type Result,
} from '@lanyard/graphql';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { accessToken } from './session.js';
import { baseUrl } from './settings.js';

/** A person is waiting: after three seconds of retries the page shows the error. */
const lanyard = createLanyardGraphQL({
  baseUrl,
  token: accessToken,
  timeout: 15_000,
  patience: 3000,
});

/** Minimum milliseconds between two reads, however fast the records change. */
const restMs = 1000;

export interface Reading<Data> {
  /** The last result; it stays while the next one is read, and after an error. */
  readonly result: Result<Data> | undefined;
  /** Why the last read failed. */
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Whether the result is that of other variables. */
  readonly isStale: boolean;
  /** Reads again. During a read, it reads once more afterwards. */
  readonly reload: () => void;
}

type State<Data> = Omit<Reading<Data>, 'reload' | 'isStale'> & { readonly key: string };

/** The result of a query. Other variables end the read for the previous ones. */
export function useQuery<Variables extends object, Data>(
  operation: Operation<Variables, Data>,
  variables: Variables,
): Reading<Data> {
  const [reading, setReading] = useState<State<Data>>({
    result: undefined,
    key: '',
    error: undefined,
    isLoading: true,
  });
  const latest = useRef(() => {});
  const key = JSON.stringify(variables);
  useEffect(() => {
    const { signal, abort } = createStop();
    const given: Variables = JSON.parse(key);
    let isReading = false;
    let isWanted = false;
    const read = async () => {
      isWanted = true;
      if (isReading) return;
      isReading = true;
      while (isWanted && !signal.aborted) {
        isWanted = false;
        setReading((last) => ({ ...last, isLoading: true }));
        try {
          const result = await lanyard.run(operation, given, { signal });
          setReading({ result, key, error: undefined, isLoading: false });
        } catch (error) {
          if (signal.aborted) return;
          setReading((last) => ({ ...last, error, isLoading: false }));
        }
        await new Promise((resolve) => setTimeout(resolve, restMs));
      }
      isReading = false;
    };
    latest.current = read;
    void read();
    return abort;
  }, [operation, key]);
  const reload = useCallback(() => latest.current(), []);
  return { ...reading, isStale: reading.key !== key, reload };
}

/** `off` has the reason, which a new connection would not have changed. */
export type Live =
  | { readonly state: 'connecting' | 'live' | 'interrupted' }
  | { readonly state: 'off'; readonly reason: unknown };

/**
 * Follows the changes of certifications and members of an organization. `reconnect` begins again
 * after `off`.
 * @param onChange Called when records may have changed, with the ids of those that did: also when
 * the stream begins, because it has no changes from before.
 */
export function useChanges(organizationId: string, onChange: (ids: readonly string[]) => void) {
  const [live, setLive] = useState<Live>({ state: 'connecting' });
  const [attempt, setAttempt] = useState(0);
  const notify = useEffectEvent(onChange);
  useEffect(() => {
    const { signal, abort } = createStop();
    const resourceTypes = ['CERTIFICATION', 'ORGANIZATION_MEMBER'] as const;
    const onInterrupted = () => setLive({ state: 'interrupted' });
    const follow = async (): Promise<void> => {
      const events = lanyard.stream(
        Follow,
        { organizationId, resourceTypes },
        { signal, onInterrupted },
      );
      try {
        for await (const { data } of events) {
          setLive({ state: 'live' });
          notify(data.changes.nodes.map(({ resourceId }) => resourceId));
        }
      } catch (reason) {
        if (signal.aborted) return;
        // The stream begins anew, and what it missed is read with its first event.
        if (reason instanceof LanyardGraphQLError && reason.code === 'RESYNC_REQUIRED')
          return follow();
        setLive({ state: 'off', reason });
      }
    };
    setLive({ state: 'connecting' });
    void follow();
    return abort;
  }, [organizationId, attempt]);
  const reconnect = () => live.state === 'off' && setAttempt(attempt + 1);
  return { live, reconnect };
}

function createStop() {
  const stop = new AbortController();
  return { signal: stop.signal, abort: () => stop.abort() };
}
