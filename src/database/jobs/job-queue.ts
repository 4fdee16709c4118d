import type pg from 'pg';
import { type Job, PgBoss } from 'pg-boss';
import { answerMs, type ConnectionSettings, sessionOptions } from '../connection.ts';
import { type Jobs, jobSchema, type QueueName } from './queues.ts';

/** `signal` aborts when the worker stops or has lost the job to another. */
export type JobHandler<Name extends QueueName> = (job: Jobs[Name], signal: AbortSignal) => Promise<void>;

/** Places of one process: jobs of one queue that it works on at the same time. */
export interface Places {
  /** For any organization: one with slow jobs may take all of them. */
  readonly shared: number;
  /** Further places, of which one organization takes at most so many: the others stay free while it has slow jobs. */
  readonly kept?: { readonly places: number; readonly perOrganization: number };
}

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
  #stopping: Promise<void> | undefined;

  constructor(options: JobQueueOptions) {
    this.#works = options.works;
    this.#boss = new PgBoss({
      ...({ ...sessionOptions(options.connection, 'parapet-jobs'), query_timeout: answerMs } as object),
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

  /** Sends within the transaction that `client` is in, which must be bound to the jobs' organization. */
  async send<Name extends QueueName>(
    queue: Name,
    jobs: readonly Jobs[Name][],
    client: pg.ClientBase,
  ): Promise<void> {
    await client.query('select send_jobs($1, $2)', [queue, JSON.stringify(jobs)]);
  }

  /** Works on a queue's jobs, of all organizations by turns. */
  async work<Name extends QueueName>(
    queue: Name,
    { shared, kept }: Places,
    handler: JobHandler<Name>,
  ): Promise<void> {
    const intervals = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 2 };
    const work = async (jobs: Job<Jobs[Name]>[]) => {
      for (const job of jobs) await handler(job.data, job.signal);
      this.#goOn(queue);
    };
    if (shared > 0)
      await this.#boss.work<Jobs[Name]>(queue, { ...intervals, localConcurrency: shared }, work);
    if (!kept) return;
    // pg-boss counts what an organization has over those loops of a queue that have this option: not in the shared places.
    const { places: localConcurrency, perOrganization: localGroupConcurrency } = kept;
    await this.#boss.work<Jobs[Name]>(queue, { ...intervals, localConcurrency, localGroupConcurrency }, work);
  }

  /**
   * Where there was one job there may be more: to wait for the next look would be to do one every two seconds. Which loop has
   * ended its job is not known, so all that have one are told; those that found none would find none.
   */
  #goOn(queue: QueueName): void {
    for (const { id, name, count } of this.#boss.getWipData()) {
      if (name === queue && count > 0) this.#boss.notifyWorker(id);
    }
  }

  /** Gives running jobs the seconds to end; what has not ended then goes on elsewhere. */
  stop(graceSeconds: number): Promise<void> {
    this.#stopping ??= this.#boss.stop({ graceful: this.#works, timeout: graceSeconds * 1000, close: true });
    return this.#stopping;
  }
}
