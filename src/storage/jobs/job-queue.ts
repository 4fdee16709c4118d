import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { type ConnectionSettings, sessionOptions } from '../connection.ts';
import { type Jobs, jobSchema, type QueueName } from './queues.ts';

/** `signal` aborts when the worker stops or has lost the job to another. */
export type JobHandler<Name extends QueueName> = (job: Jobs[Name], signal: AbortSignal) => Promise<void>;

interface JobQueueOptions {
  readonly connection: ConnectionSettings;
  /** Whether this process works on jobs, or only sends them. */
  readonly works: boolean;
  readonly onError: (error: unknown) => void;
}

/** The jobs of all organizations, on pg-boss. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #works: boolean;

  constructor(options: JobQueueOptions) {
    this.#works = options.works;
    this.#boss = new PgBoss({
      ...(sessionOptions(options.connection, 'parapet-jobs') as object),
      schema: jobSchema,
      max: options.works ? 6 : 2,
      migrate: false,
      createSchema: false,
      schedule: false,
      supervise: options.works,
      // A dead worker's job is noticed within heartbeat + monitor interval.
      superviseIntervalSeconds: 2,
      monitorIntervalSeconds: 2,
      maintenanceIntervalSeconds: 300,
      // Rebuilding an index takes its owner, and the role that works is not.
      reindex: false,
      monitorVacuum: false,
      useListenNotify: options.works,
    });
    this.#boss.on('error', options.onError);
  }

  async start(): Promise<void> {
    await this.#boss.start();
  }

  /** Sends within the transaction that `client` is in, which must be bound to the job's organization. */
  async send<Name extends QueueName>(queue: Name, job: Jobs[Name], client: pg.ClientBase): Promise<void> {
    await client.query('select send_job($1, $2)', [queue, JSON.stringify(job)]);
  }

  /** Works on a queue's jobs, `concurrency` at once in this process. */
  async work<Name extends QueueName>(
    queue: Name,
    concurrency: number,
    handler: JobHandler<Name>,
  ): Promise<void> {
    const options = { batchSize: 1, pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 2 };
    // Loops of one each, not one of many: of many, only the first could be told to go on.
    for (let loop = 0; loop < concurrency; loop += 1) {
      const worker: string = await this.#boss.work<Jobs[Name]>(queue, options, async jobs => {
        for (const job of jobs) await handler(job.data, job.signal);
        // Where there was one there may be more: to wait for the next look would be to do one job every two seconds.
        this.#boss.notifyWorker(worker);
      });
    }
  }

  /** Gives running jobs the seconds to end; what has not ended then goes on elsewhere. */
  async stop(graceSeconds: number): Promise<void> {
    await this.#boss.stop({ graceful: this.#works, timeout: graceSeconds * 1000, close: true });
  }
}
