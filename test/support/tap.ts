import net from 'node:net';
import { rawServer } from './website.ts';

/** A relay in front of the service that records every byte that clients send. */
export class Tap {
  readonly url: string;
  /** While it is false, nothing reaches the service, and nothing is answered. */
  isOpen = true;
  readonly close: () => Promise<void>;
  readonly #sent: Buffer[];

  private constructor(port: number, sent: Buffer[], close: () => Promise<void>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#sent = sent;
    this.close = close;
  }

  static async start(service: string): Promise<Tap> {
    let tap: Tap;
    const sent: Buffer[] = [];
    const { port } = new URL(service);
    const server = await rawServer(socket => {
      socket.on('data', data => sent.push(data));
      socket.on('error', () => socket.destroy());
      if (!tap.isOpen) return;
      const upstream = net.connect(Number(port), '127.0.0.1');
      upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
      socket.on('close', () => upstream.destroy());
      socket.pipe(upstream).pipe(socket);
    });
    tap = new Tap(server.port, sent, () => server.close());
    return tap;
  }

  /** One character for each byte. */
  get sent(): string {
    return Buffer.concat(this.#sent).toString('latin1');
  }
}
