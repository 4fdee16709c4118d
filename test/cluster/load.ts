import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller, Requests } from './requests.ts';

export interface WritingClient extends Caller {
  readonly systemId: string;
  readonly sourceId: string;
}

/** Writes that were acknowledged: external ids of systems, and ids of events and scans. */
export interface Acknowledged {
  readonly systems: Set<string>;
  readonly events: Set<string>;
  readonly scans: Set<string>;
}

/** A little less often than 60 times a minute. */
const writeEveryMs = 1_100;

/** Clients that write, some that are always at their limit, and one that sends admitted requests again. */
export class Load {
  readonly acknowledged: Acknowledged = { systems: new Set(), events: new Set(), scans: new Set() };
  /** Requests that were admitted a second time. */
  readonly twice: string[] = [];
  replayed = 0;
  readonly #requests: Requests;
  readonly #running: Promise<void>[] = [];
  #isStopped = false;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  start(writing: readonly WritingClient[], limited: readonly Caller[]): void {
    for (const [index, client] of writing.entries())
      this.#repeat(writeEveryMs, this.#writerOf(client, index));
    for (const client of limited) this.#repeat(100, turn => this.#exhaust(client, turn));
    this.#repeat(100, turn => this.#replay(turn));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
  }

  #repeat(everyMs: number, work: (turn: number) => Promise<void>): void {
    const repeat = async () => {
      for (let turn = 0; !this.#isStopped; turn++) {
        await work(turn);
        await pause(everyMs);
      }
    };
    this.#running.push(repeat());
  }

  /** Creates a system, stores an event, and requests a scan, or follows the one before: one after another. */
  #writerOf(client: WritingClient, index: number): (turn: number) => Promise<void> {
    const { systems, events, scans } = this.acknowledged;
    const post = (turn: number, path: string, body: object) =>
      this.#requests.send(client, turn, 'POST', path, body);
    let idempotencyKey = randomUUID();
    let scanId: string | undefined;
    const scan = async (turn: number) => {
      if (scanId) {
        const read = await this.#requests.send(client, turn, 'GET', `/api/v1/scans/${scanId}`);
        if (read?.json.scan?.finished_at) {
          scanId = undefined;
          idempotencyKey = randomUUID();
        }
        return;
      }
      // With the same key until it is acknowledged.
      const body = { source_id: client.sourceId, idempotency_key: idempotencyKey };
      scanId = (await post(turn, '/api/v1/scans', body))?.json.scan?.id;
      if (scanId) scans.add(scanId);
    };
    return async turn => {
      // Each kind of write goes to both nodes.
      const node = index + Math.floor(turn / 3);
      if (turn % 3 === 0) {
        const external_id = randomUUID();
        const body = { name: 'L', environment: 'test', kind: 'api', external_id };
        if (await post(node, '/api/v1/systems', body)) systems.add(external_id);
      } else if (turn % 3 === 1) {
        const event = { id: randomUUID(), kind: 'load.event', occurred_at: new Date().toISOString() };
        const body = { system_id: client.systemId, events: [event] };
        if (await post(node, '/functions/v1/events-ingest', body)) events.add(event.id);
      } else await scan(node);
    };
  }

  /** Reaches the limit in seconds, and tries on. */
  async #exhaust(client: Caller, turn: number): Promise<void> {
    const answer = await this.#requests.send(client, turn, 'GET', '/api/v1/systems');
    if (answer?.status === 401) await pause(500);
  }

  /** Only recent ones: the timestamps of others are refused. */
  async #replay(turn: number): Promise<void> {
    const recent = this.#requests.admitted().slice(-200);
    const request = recent[Math.floor(Math.random() * recent.length)];
    if (!request) return;
    const isRefused = await this.#requests.isRefusedAgain(request, turn);
    if (isRefused) this.replayed += 1;
    if (isRefused === false) this.twice.push(`${request.parts.method} ${request.parts.target}`);
  }
}
