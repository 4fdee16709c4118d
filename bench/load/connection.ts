import { connect, type Socket } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');

/**
 * One keep-alive connection that sends prepared bytes and parses only the status and length of a response,
 * because the client shares the cores with the server.
 */
export class Connection {
  readonly #socket: Socket;
  #pending: Buffer = Buffer.alloc(0);
  /** Missing bytes of the response's body; undefined until its head is complete. */
  #missing: number | undefined;
  #settle: { resolve(): void; reject(error: Error): void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', chunk => this.#take(chunk));
    socket.on('error', error => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed a connection')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  /**
   * Resolves when the response is complete. Rejects if it is neither 2xx nor 304, because a refused request measures
   * nothing.
   */
  send(request: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#missing === undefined) this.#readHead(chunk);
    else this.#missing -= chunk.length;
    if (this.#missing === undefined || this.#missing > 0) return;
    this.#missing = undefined;
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve();
  }

  #readHead(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const end = this.#pending.indexOf(headEnd);
    if (end === -1) return;
    const head = this.#pending.toString('latin1', 0, end);
    const isCurrent = head.startsWith('HTTP/1.1 304');
    const length = isCurrent ? '0' : /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if ((head[9] !== '2' && !isCurrent) || length === undefined) {
      this.#fail(new Error(`not 2xx, or of unknown length: ${this.#pending.toString()}`));
      return;
    }
    this.#missing = Number(length) - (this.#pending.length - end - headEnd.length);
    this.#pending = Buffer.alloc(0);
  }

  #fail(error: Error): void {
    this.#settle?.reject(error);
    this.#settle = undefined;
  }
}
