import { ConnectionFailed } from '../connection/connection-failed.ts';
import type { ReachedServer } from '../connection/connection-test.ts';
import { DriverStream } from '../connection/driver-stream.ts';
import { secure } from '../connection/opening-talk.ts';
import { type Greeting, Packets, tlsRequest } from './packets.ts';

/**
 * Starts TLS in the middle of the driver's login, without the driver: its own TLS checks the name `localhost` if the
 * host is an address, and hides why a certificate was refused.
 */
export class MysqlStream extends DriverStream {
  readonly #server: ReachedServer;
  readonly #signal: AbortSignal;
  readonly #packets: Packets;
  #isOpen = false;

  /** @throws ConnectionFailed with `tls_not_offered` */
  constructor(server: ReachedServer, greeting: Greeting, signal: AbortSignal, maxReceived?: number) {
    const tls = !server.dsn.plaintext;
    if (tls && !greeting.offersTls) throw new ConnectionFailed('tls_not_offered');
    const packets = new Packets({ tls });
    super(packets, maxReceived);
    this.#packets = packets;
    this.#server = server;
    this.#signal = signal;
    this.push(greeting.packet);
  }

  override _write(bytes: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const send = () => super._write(this.#packets.send(bytes), encoding, done);
    if (this.#isOpen) {
      send();
      return;
    }
    this.#isOpen = true;
    this.#open(bytes).then(send, done);
  }

  async #open(login: Buffer): Promise<void> {
    const { socket, dsn } = this.#server;
    if (dsn.plaintext) {
      this.attach(socket);
      return;
    }
    socket.write(tlsRequest(login));
    this.attach(await secure(socket, this.#server, this.#signal));
  }
}
