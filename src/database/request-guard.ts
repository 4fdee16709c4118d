import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { limits } from '../contract/limits.ts';
import { Refusal } from '../domain/refusal.ts';
import { guardReasons } from '../domain/refusal-reasons.ts';
import { isLockTimeout } from './error-codes.ts';

/** A request with a valid signature. */
export interface SignedRequest {
  readonly keyId: string;
  readonly organizationId: string;
  readonly nonce: string;
  /** What it reads, if its response may be repeated until that changes. */
  readonly reads?: Subject | undefined;
}

/** A kind of thing whose changes are counted: see `note_change` in the migrations. */
export type Subject = 'systems' | 'sources' | 'findings' | 'scans';

/** An admitted request. */
export interface Admission {
  /**
   * Grows with every transaction that may have changed what the request reads; 0 for other requests. Reads
   * after the admission are at least as new as this version.
   */
  readonly dataVersion: string;
}

/** Why a request is not admitted. */
export type GuardReason = (typeof guardReasons)[number];

interface Waiting extends SignedRequest {
  readonly since: number;
  resolve(admission: Admission | GuardReason): void;
  reject(error: unknown): void;
}

const largestBatch = 500;

interface GuardOptions {
  /** Milliseconds after which a waiting request fails: its client has given up by then. */
  readonly longestWaitMs?: number;
  /**
   * After a large batch, the next one waits this many milliseconds for more requests, and proportionally less after a smaller one: most
   * of what a small batch costs the database is the same for a large one (docs/benchmarks.md).
   */
  readonly gatherMs?: number;
  /** Processes that call the database at the same time. */
  readonly processes?: number;
}

/** Sizes of batches of all processes together: after which the next one waits, and after which it waits longest. */
const several = 4;
const large = 16;

/**
 * Decides whether to admit signed requests: key active, nonce unused, within rate limits (specification, sections 5 and
 * 8). One call to the database runs at a time; requests that arrive meanwhile go into the next. The result is durable
 * when returned, and exact on any number of nodes: see `decide_requests` in the migrations.
 */
export class RequestGuard {
  readonly #pool: Pick<pg.Pool, 'query'>;
  readonly #longestWaitMs: number;
  readonly #gatherMs: number;
  readonly #processes: number;
  #waiting: Waiting[] = [];
  #busy = false;

  /** @param pool one connection, used for nothing else */
  constructor(
    pool: Pick<pg.Pool, 'query'>,
    { longestWaitMs = 10_000, gatherMs = 8, processes = 1 }: GuardOptions = {},
  ) {
    this.#pool = pool;
    this.#longestWaitMs = longestWaitMs;
    this.#gatherMs = gatherMs;
    this.#processes = processes;
  }

  /** The reason if the request is refused. A limit spends the nonce as well. Rejects if the database does not respond. */
  admit(request: SignedRequest): Promise<Admission | GuardReason> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...request, since: performance.now(), resolve, reject });
      if (!this.#busy) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, largestBatch).filter(request => !this.#isLate(request));
      if (batch.length === 0) continue;
      try {
        const answers = await this.#decide(batch);
        // Results are matched by position alone: with one missing, none can be trusted.
        if (answers.length !== batch.length) throw new Error('the guard did not answer every request');
        const decisions = answers.map(decisionOf);
        for (const [index, request] of batch.entries()) request.resolve(decisions[index]!);
      } catch (error) {
        // Decisions of other nodes may not be able to commit, for example while the synchronous standby is replaced.
        const reason = isLockTimeout(error) ? undecided() : error;
        for (const request of batch) request.reject(reason);
      }
      // Requests that come one at a time never wait.
      const together = batch.length * this.#processes;
      if (batch.length > 1 && together >= several)
        await pause(this.#gatherMs * Math.min(1, together / large));
    }
    this.#busy = false;
  }

  #isLate({ since, reject }: Waiting): boolean {
    const late = performance.now() - since > this.#longestWaitMs;
    if (late) reject(undecided());
    return late;
  }

  async #decide(batch: readonly SignedRequest[]): Promise<string[]> {
    const result = await this.#pool.query<{ answers: string[] }>({
      name: 'decide-requests',
      text: 'select decide_requests($1, $2, $3, $4, $5, $6) as answers',
      values: [
        batch.map(request => request.keyId),
        batch.map(request => request.organizationId),
        batch.map(request => request.nonce),
        batch.map(request => request.reads),
        limits.keyRequestsPerMinute,
        limits.organizationRequestsPerMinute,
      ],
    });
    return result.rows[0]!.answers;
  }
}

function undecided(): Refusal {
  return new Refusal('request_failed', {}, { cause: 'the guard did not decide in time' });
}

/** Throws unless it is a version or a known reason, so that nothing else is taken for an admission. */
function decisionOf(answer: string): Admission | GuardReason {
  if (/^\d+$/.test(answer)) return { dataVersion: answer };
  const reason = guardReasons[-1 - Number(answer)];
  if (reason === undefined) throw new Error(`the guard gave an unknown answer: ${answer}`);
  return reason;
}

/**
 * Truncates the slot of nonces whose timestamps are no longer accepted. Returns whether there were any.
 * Requests have priority: it waits at most a second for the table, and tries again the next time.
 */
export async function sweepNonces(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query("begin; set local lock_timeout = '1s'");
    const slot = await oldestSlot(client);
    const table = `request_nonces_${slot}`;
    const filled = await client.query(`select from ${table} limit 1`);
    if (filled.rowCount) await client.query(`lock table ${table}`);
    // The next period may have started to fill this slot. With the lock, no nonce is added.
    const sweeps = Boolean(filled.rowCount) && (await oldestSlot(client)) === slot;
    if (sweeps) await client.query(`truncate ${table}`);
    await client.query('commit');
    return sweeps;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    if (isLockTimeout(error)) return false;
    throw error;
  } finally {
    client.release();
  }
}

/** The slot that is filled after the current one. */
async function oldestSlot(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ slot: number }>(
    'select ((floor(extract(epoch from clock_timestamp()) / 900)::bigint + 1) % 3)::int as slot',
  );
  return rows[0]!.slot;
}
