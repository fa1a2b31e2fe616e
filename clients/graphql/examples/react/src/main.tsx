/** Starts the page: first the session, then the first render. */
import { AuthorizationResponseError } from 'oauth4webapi';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, Welcome } from './app.js';
import { restore } from './session.js';

let isSignedIn = false;
let problem: string | undefined;
try {
  isSignedIn = await restore();
} catch (error) {
  const isRefusal = error instanceof AuthorizationResponseError && error.error === 'access_denied';
  problem = isRefusal ? 'You cancelled the sign-in.' : 'The sign-in failed. Try again.';
}
const root = document.getElementById('app');
if (root)
  createRoot(root).render(
    <StrictMode>{isSignedIn ? <App /> : <Welcome problem={problem} />}</StrictMode>,
  );
