import type pg from 'pg';
import { DatabaseClient } from '../database-client.ts';

/** `send_jobs` notifies with the name of the queue, which arrives when its transaction commits. */
export const jobChannel = 'parapet_jobs';

const reconnectMs = 2_000;

/**
 * Reports queues with new jobs. Without its connection nothing is reported until it is open again, so its users poll too.
 */
export class JobBell {
  readonly #connection: pg.ClientConfig;
  readonly #onJobs: (queue: string) => void;
  readonly #onError: (error: unknown) => void;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    connection: pg.ClientConfig,
    onJobs: (queue: string) => void,
    onError: (error: unknown) => void,
  ) {
    this.#connection = connection;
    this.#onJobs = onJobs;
    this.#onError = onError;
  }

  /** Opens the connection, and again whenever it is lost. Failures are reported. */
  async open(): Promise<void> {
    const client: pg.Client = new DatabaseClient(this.#connection);
    this.#client = client;
    let isLost = false;
    const lose = (error: unknown) => {
      if (isLost || this.#closed) return;
      isLost = true;
      this.#onError(error);
      client.end().catch(() => {});
      this.#timer = setTimeout(() => void this.open(), reconnectMs);
    };
    client.on('error', lose).on('notification', ({ payload = '' }) => this.#onJobs(payload));
    try {
      await client.connect();
      await client.query(`listen ${jobChannel}`);
    } catch (error) {
      lose(error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => {});
  }
}
