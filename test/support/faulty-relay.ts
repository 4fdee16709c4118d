import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the relay does with a request. */
export type Fault =
  | 'forward'
  /** The service gets the request, and its answer is lost. */
  | 'lose_answer'
  /** The answer comes after half a second. */
  | 'slow'
  /** The service does not get the request; the status is the relay's. */
  | 401
  /** Only for batches of several events. */
  | 413
  | 500
  | 503
  /** The connection is closed before the answer. */
  | 'cut';

/** An HTTP relay in front of the service that fails as networks and proxies do, and records all that it got. */
export class FaultyRelay {
  readonly url: string;
  /** Bodies of all requests. */
  readonly bodies: string[] = [];
  /** Applied to the next requests, one each; then they are forwarded. */
  readonly faults: Fault[] = [];
  /** Applied to all requests while it is set. */
  always: Fault | undefined;
  #service: string;
  readonly #close: () => Promise<void>;

  private constructor(service: string, port: number, close: () => Promise<void>) {
    this.#service = service;
    this.url = `http://127.0.0.1:${port}`;
    this.#close = close;
  }

  static async start(service: string): Promise<FaultyRelay> {
    let relay: FaultyRelay;
    const server = createServer((incoming, outgoing) => void relay.#handle(incoming, outgoing));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    relay = new FaultyRelay(service, (server.address() as AddressInfo).port, async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    });
    return relay;
  }

  /** Forwards to another node from now on. */
  forwardTo(service: string): void {
    this.#service = service;
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks);
    this.bodies.push(body.toString('utf8'));
    const fault = this.always ?? this.faults.shift() ?? 'forward';
    if (fault === 'cut') {
      incoming.socket.destroy();
    } else if (typeof fault === 'number' && (fault !== 413 || body.includes('},{"id"'))) {
      outgoing.writeHead(fault, { 'content-type': 'application/json' }).end(`{"error":"${fault}"}`);
    } else {
      if (fault === 'slow') await new Promise(resolve => setTimeout(resolve, 500));
      this.#forward(incoming, body, answer => {
        if (fault === 'lose_answer') {
          answer.resume();
          answer.on('end', () => incoming.socket.destroy());
        } else {
          outgoing.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(outgoing);
        }
      }).on('error', () => incoming.socket.destroy());
    }
  }

  #forward(incoming: IncomingMessage, body: Buffer, onAnswer: (answer: IncomingMessage) => void) {
    const { host: _, connection: __, ...headers } = incoming.headers;
    const upstream = request(this.#service + incoming.url, { method: incoming.method, headers }, onAnswer);
    upstream.end(body);
    return upstream;
  }
}
