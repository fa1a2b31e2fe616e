/** Starts the dashboard in the frame that the portal serves (src/portal/dashboard). */
import { render } from 'preact';
import { App } from './app.js';
import './dashboard.css';
import { arrive } from './place.js';
import { end, open } from './session.js';

const root = document.getElementById('dashboard');
if (root) {
  root.replaceChildren();
  render(<App />, root);
  await open(root.dataset.clientId ?? '', root.dataset.origin ?? '', arrive).catch(end);
}
