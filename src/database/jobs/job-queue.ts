import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { answerMs, type ConnectionSettings, type Statement, sessionOptions } from '../connection.ts';
import { JobBell } from './job-bell.ts';
import { JobClaims } from './job-claims.ts';
import type { Places } from './places.ts';
import { type Jobs, jobSchema, type QueueName } from './queues.ts';

/** Runs statements of one transaction. */
interface Session {
  query(statement: Statement): Promise<unknown>;
}

/** `signal` aborts when the worker stops or loses the job to another worker. */
export type JobHandler<Name extends QueueName> = (job: Jobs[Name], signal: AbortSignal) => Promise<void>;

export interface FailedJob {
  readonly queue: string;
  /** As it was sent. */
  readonly data: object;
}

interface JobQueueOptions {
  readonly pool: pg.Pool;
  /** For notifications, which poolers do not carry. Without it, workers only poll. */
  readonly direct: ConnectionSettings | undefined;
  /** Whether this process runs jobs or only sends them. */
  readonly works: boolean;
  readonly onError: (error: unknown) => void;
  /** Called when an attempt of a job failed. */
  readonly onFailed?: (error: unknown, job: FailedJob) => void;
}

/** The job queue of all organizations, on pg-boss. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #works: boolean;
  readonly #onError: (error: unknown) => void;
  readonly #onFailed: (error: unknown, job: FailedJob) => void;
  readonly #bell: JobBell | undefined;
  readonly #claims = new Map<string, Pick<JobClaims<object>, 'claim' | 'stop'>>();
  #stopping: Promise<void> | undefined;

  constructor(options: JobQueueOptions) {
    this.#works = options.works;
    this.#onError = options.onError;
    this.#onFailed = options.onFailed ?? (() => {});
    const ring = (queue: string) => this.#claims.get(queue)?.claim();
    const { pool, direct } = options;
    const listening = direct && { ...sessionOptions(direct, 'parapet-jobs'), query_timeout: answerMs };
    this.#bell = listening && new JobBell(listening, ring, options.onError);
    this.#boss = new PgBoss({
      db: { executeSql: (text, values) => pool.query(text, values) },
      schema: jobSchema,
      migrate: false,
      createSchema: false,
      schedule: false,
      supervise: options.works,
      // The jobs of a dead worker are detected within heartbeat + monitor interval.
      superviseIntervalSeconds: 2,
      monitorIntervalSeconds: 2,
      maintenanceIntervalSeconds: 300,
      // Rebuilding an index requires its owner, and the worker's role is not.
      reindex: false,
      monitorVacuum: false,
    });
    this.#boss.on('error', options.onError);
  }

  async start(): Promise<void> {
    await this.#boss.start();
    if (this.#works) await this.#bell?.open();
  }

  /** Sends within the transaction of the session, which must be bound to the organization of the jobs. */
  async send<Name extends QueueName>(queue: Name, jobs: readonly Jobs[Name][], session: Session) {
    await session.query({ text: 'select send_jobs($1, $2)', values: [queue, JSON.stringify(jobs)] });
  }

  /** Runs a queue's jobs, round-robin by organization. */
  work<Name extends QueueName>(
    queue: Name,
    places: Places,
    work: JobHandler<Name>,
  ): Pick<JobClaims<Jobs[Name]>, 'claim' | 'running'> {
    const claims = new JobClaims<Jobs[Name]>({
      boss: this.#boss,
      queue,
      places,
      work,
      onError: this.#onError,
      onFailed: (error, data) => this.#onFailed(error, { queue, data }),
    });
    this.#claims.set(queue, claims);
    return claims;
  }

  /** Gives running jobs this many seconds to finish; other workers retry the rest. */
  stop(graceSeconds: number): Promise<void> {
    this.#stopping ??= this.#stop(graceSeconds);
    return this.#stopping;
  }

  async #stop(graceSeconds: number): Promise<void> {
    await this.#bell?.close();
    await Promise.all([...this.#claims.values()].map(claims => claims.stop(graceSeconds * 1_000)));
    await this.#boss.stop({ graceful: this.#works, timeout: graceSeconds * 1000, close: true });
  }
}
