import type { OwnApp } from '../../auth/apps/own.js';
import { Card } from '../../pages/components.js';

/** How the operator enables one of Lanyard's own apps. */
export const EnableHint = ({ command, app }: { command: string; app: OwnApp }) => (
  <Card title="If you run this server">
    <p>
      Turn it on with <code>{command}</code>, and once more after a change of <code>BASE_URL</code>.
      If it was disabled, <code>lanyard apps enable {app.clientId}</code> undoes that.
    </p>
  </Card>
);
