/** The name under which a server is known: what is behind it may change, hang or go. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export class Relay {
  private readonly sockets = new Set<Socket>();
  private holds = false;
  private readonly server = createServer((client) => {
    const upstream = connect(this.target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      from
        .on('error', () => {})
        .on('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
      from.pipe(to);
      if (this.holds) from.pause();
    }
  });

  private constructor(private target: number) {}

  static async to(target: string): Promise<Relay> {
    const relay = new Relay(Number(new URL(target).port));
    await once(relay.server.listen(0, '127.0.0.1'), 'listening');
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Leads somewhere else from now on; what is open is cut. */
  lead(target: string): void {
    this.target = Number(new URL(target).port);
    this.cut();
  }

  /** Keeps every connection open, and lets nothing through. */
  hold(): void {
    this.holds = true;
    for (const socket of this.sockets) socket.pause();
  }

  release(): void {
    this.holds = false;
    for (const socket of this.sockets) socket.resume();
  }

  close(): void {
    this.server.close();
    this.cut();
  }

  private cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}
