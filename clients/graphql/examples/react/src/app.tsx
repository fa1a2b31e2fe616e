/** The frame of the page: who is signed in, and the organization. */
import { useState } from 'react';
import { Certifications } from './certifications.js';
import { useQuery } from './lanyard.js';
import { Account } from './operations.js';
import { Problem } from './problem.js';
import { signIn, signOut } from './session.js';

export function App() {
  const { result, error, reload } = useQuery(Account, {});
  const { user, organizations = [] } = result?.data.me ?? {};
  const [chosen, setChosen] = useState('');
  const organization = organizations.find(({ id }) => id === chosen) ?? organizations[0];
  return (
    <>
      <header>
        <h1>Expiring certifications</h1>
        {user && (
          <div className="account">
            {organizations.length > 1 ? (
              <select
                aria-label="Organization"
                value={organization?.id}
                onChange={({ target }) => setChosen(target.value)}
              >
                {organizations.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            ) : (
              <span>{organization?.name}</span>
            )}
            <span>{user.displayName}</span>
            <button type="button" onClick={() => void signOut().finally(() => location.reload())}>
              Sign out
            </button>
          </div>
        )}
      </header>
      <main>
        {error !== undefined && <Problem error={error} onRetry={reload} />}
        {organization && <Certifications key={organization.id} organizationId={organization.id} />}
        {result && !organization && <p>You are not a member of any organization.</p>}
      </main>
    </>
  );
}

/** The page before the sign-in. */
export function Welcome({ problem }: { readonly problem: string | undefined }) {
  const [failure, setFailure] = useState(problem);
  const start = () =>
    signIn().catch(() => setFailure('Lanyard does not respond. Try again later.'));
  return (
    <main className="welcome">
      <h1>Expiring certifications</h1>
      <p>Sign in to see whose certifications expire next in your organization.</p>
      {failure && <p role="alert">{failure}</p>}
      <button type="button" className="primary" onClick={() => void start()}>
        Sign in with Lanyard
      </button>
    </main>
  );
}
