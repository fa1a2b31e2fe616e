import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { after, it } from 'node:test';
import { Browser } from '../auth/oauth/browser.js';
import { startApp } from '../support/app.js';
import { freePort } from '../support/server.js';

const messages: string[] = [];
const arrived: (() => void)[] = [];
const smtp = await startSmtp();
const port = await freePort();
const app = await startApp({
  PORT: String(port),
  BASE_URL: `http://127.0.0.1:${port}`,
  SMTP_URL: `smtp://127.0.0.1:${(smtp.address() as AddressInfo).port}`,
  MAIL_FROM: 'Lanyard <safety@skyline.example>',
});

/** As much of a mail server as it takes to receive a message. */
async function startSmtp(): Promise<Server> {
  const server = createServer((socket) => {
    let message: string[] | undefined;
    socket.write('220 test\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      if (message && line !== '.') return void message.push(line);
      if (message) {
        messages.push(message.join('\n').replaceAll('=\n', '').replaceAll('=3D', '='));
        message = undefined;
        for (const tell of arrived.splice(0)) tell();
      } else if (line === 'DATA') message = [];
      socket.write(message ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return server;
}

const ask = async (email: string) => {
  const browser = new Browser(app.base);
  return browser.submit(await browser.get('/portal/forgotten-password'), '/forgotten-password', { email });
};

it('sends a link to whoever forgot the password, and tells nobody whether there is such a person', async () => {
  const sent = new Promise<void>((resolve) => arrived.push(resolve));
  const [known, unknown] = [await ask('Climber@skyline.example'), await ask('nobody@skyline.example')];
  assert.equal(known.html.replace('Climber@', 'nobody@'), unknown.html);
  await sent;
  assert.equal(messages.length, 1);
  const [message = ''] = messages;
  assert.match(message, /^From: Lanyard <safety@skyline\.example>$/m);
  assert.match(message, /^To: climber@skyline\.example$/m);
  const url = /http:\/\/\S+/.exec(message)?.[0] ?? '';
  assert.ok(url.startsWith(`${app.base}/portal/links/`), url);
  const browser = new Browser(app.base);
  const password = 'seven steel bolts 42';
  const home = await browser.submit(await browser.get(url), new URL(url).pathname, { password, repeated: password });
  assert.equal(home.url.pathname, '/portal');
});

it('sends no more than ten in a quarter of an hour', async () => {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 11; attempt++) statuses.push((await ask('manager@skyline.example')).status);
  assert.deepEqual(statuses, [...Array(10).fill(200), 429]);
});
