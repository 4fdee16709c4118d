import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ConnectionSettings } from '../../src/database/connection.ts';

/**
 * What happens to a connection at the next statement, which reaches the server: it is reset or closed before the
 * answer, or after the server's answer to a commit, which the client does not receive. New connections are refused, or get no answer after
 * their login.
 */
export type Fault =
  | 'reset'
  | 'close'
  | 'silence'
  | 'reset behind commit'
  | 'refused logins'
  | 'silence behind logins';

/** A relay to a PostgreSQL that breaks connections. */
export class DatabaseRelay {
  /** The server's unix socket; a different one after a restart. */
  target: string;
  fault: Fault | undefined;
  readonly #server: net.Server;
  readonly #place: net.ListenOptions;
  readonly #pairs = new Set<readonly [net.Socket, net.Socket]>();

  private constructor(target: string, server: net.Server, place: net.ListenOptions) {
    this.target = target;
    this.#server = server;
    this.#place = place;
    server.on('connection', client => this.#connect(client));
  }

  /** @param by a TCP port, or a unix socket */
  static async start(target: ConnectionSettings, by: 'port' | 'socket' = 'port'): Promise<DatabaseRelay> {
    const server = net.createServer();
    const folder = by === 'socket' ? await mkdtemp(join(tmpdir(), 'parapet-relay-')) : undefined;
    const place: net.ListenOptions = folder
      ? { path: socketOf({ host: folder, port: 5432 }) }
      : { host: '127.0.0.1', port: 0 };
    await once(server.listen(place), 'listening');
    if (!folder) place.port = (server.address() as net.AddressInfo).port;
    return new DatabaseRelay(socketOf(target), server, place);
  }

  get connection(): { readonly host: string; readonly port: number } {
    const { path, host, port } = this.#place;
    return path ? { host: dirname(path), port: 5432 } : { host: host!, port: port! };
  }

  /** Refuses connections, and closes existing ones. */
  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#destroy();
    await closed;
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(this.#place), 'listening');
  }

  async close(): Promise<void> {
    if (this.#server.listening) await this.stop();
    if (this.#place.path) await rm(dirname(this.#place.path), { recursive: true, force: true });
  }

  #destroy(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  #connect(client: net.Socket): void {
    if (this.fault === 'refused logins') {
      client.destroy();
      return;
    }
    const server = net.connect(this.target);
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    for (const socket of pair) {
      socket
        .on('error', () => {})
        .on('close', () => {
          this.#pairs.delete(pair);
          for (const one of pair) one.destroy();
        });
    }
    let isLast = false;
    let isSilent = false;
    client.on('data', bytes => {
      server.write(bytes);
      if (this.fault === 'reset') client.resetAndDestroy();
      if (this.fault === 'close') client.destroy();
      isLast ||=
        this.fault === 'reset behind commit' && /commit\0|store-events\0/.test(bytes.toString('latin1'));
    });
    server.on('data', bytes => {
      if (isLast && /COMMIT|Z\0\0\0\x05I/.test(bytes.toString('latin1'))) client.resetAndDestroy();
      else if (this.fault !== 'silence' && !isSilent) client.write(bytes);
      isSilent ||= this.fault === 'silence behind logins' && /Z\0\0\0\x05I/.test(bytes.toString('latin1'));
    });
  }
}

export function socketOf({ host, port }: ConnectionSettings): string {
  return join(host!, `.s.PGSQL.${port}`);
}
