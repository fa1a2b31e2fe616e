/** As much of a mail server as it takes to receive messages. */
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';

export interface Mailbox {
  /** For `SMTP_URL`. */
  readonly url: string;
  readonly messages: string[];
  /** The link in the next message, once it has arrived. */
  nextLink(): Promise<string>;
}

/** Starts it for a test file; it stops after the file's last test. */
export async function startSmtp(): Promise<Mailbox> {
  const messages: string[] = [];
  const arrived: (() => void)[] = [];
  let read = 0;
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
  afterAll(() => server.close());
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    async nextLink() {
      while (messages.length <= read) await new Promise<void>((resolve) => arrived.push(resolve));
      return /http:\/\/\S+/.exec(messages[read++] ?? '')?.[0] ?? '';
    },
  };
}
