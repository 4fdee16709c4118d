import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../domain/refusal.ts';

export interface PermitOptions {
  /** Operations that run at once on a node. */
  readonly atOnce: number;
  /** Of those, the most that one organization may have. */
  readonly perOrganization: number;
  /** Operations of one organization that may wait; one more is refused. */
  readonly waitingPerOrganization?: number;
  /** Milliseconds after which one that waits is refused. */
  readonly longestWaitMs?: number;
}

interface Waiting {
  readonly organizationId: string;
  begin(): void;
}

/** The organization that needs a permit, and a signal that its client has disconnected. */
export interface Applicant {
  readonly organizationId: string;
  readonly gone: AbortSignal;
}

/** Limits how many operations run at once; a bounded number waits in order of arrival, and the rest is refused. */
export class Permits {
  readonly #options: Required<PermitOptions>;
  readonly #held = new Map<string, number>();
  #free: number;
  #waiting: Waiting[] = [];

  constructor(options: PermitOptions) {
    this.#options = { waitingPerOrganization: 2, longestWaitMs: 20_000, ...options };
    this.#free = options.atOnce;
  }

  /** Throws `too_many_downloads` when the queue is full, the wait is too long or the client disconnects. */
  async use<T>(applicant: Applicant, work: () => Promise<T>): Promise<T> {
    const { organizationId } = applicant;
    if (this.#hasRoom(organizationId)) this.#take(organizationId);
    else await this.#wait(applicant);
    try {
      return await work();
    } finally {
      this.#release(organizationId);
    }
  }

  #hasRoom(organizationId: string): boolean {
    return this.#free > 0 && (this.#held.get(organizationId) ?? 0) < this.#options.perOrganization;
  }

  #take(organizationId: string): void {
    this.#free -= 1;
    this.#held.set(organizationId, (this.#held.get(organizationId) ?? 0) + 1);
  }

  #release(organizationId: string): void {
    this.#free += 1;
    const left = this.#held.get(organizationId)! - 1;
    if (left === 0) this.#held.delete(organizationId);
    else this.#held.set(organizationId, left);
    const next = this.#waiting.find(waiting => this.#hasRoom(waiting.organizationId));
    if (!next) return;
    // The next one takes the permit in the same tick, so that no new request can take it first.
    this.#take(next.organizationId);
    this.#leave(next);
    next.begin();
  }

  #leave(one: Waiting): void {
    this.#waiting = this.#waiting.filter(waiting => waiting !== one);
  }

  #wait({ organizationId, gone }: Applicant): Promise<void> {
    const own = this.#waiting.filter(waiting => waiting.organizationId === organizationId);
    if (own.length >= this.#options.waitingPerOrganization) throw tooMany();
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        gone.removeEventListener('abort', refuse);
        act();
      };
      const waiting = { organizationId, begin: () => settle(resolve) };
      const refuse = () => {
        this.#leave(waiting);
        settle(() => reject(tooMany()));
      };
      const timer = setTimeout(refuse, this.#options.longestWaitMs);
      gone.addEventListener('abort', refuse);
      this.#waiting.push(waiting);
      if (gone.aborted) refuse();
    });
  }
}

function tooMany(): Refusal {
  return new Refusal('too_many_downloads', { retry_after_seconds: 10 });
}

/** The organization of the path, until the client closes its connection. */
export function applicantOf({ organizationId }: FastifyRequest, reply: FastifyReply): Applicant {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return { organizationId, gone: controller.signal };
}
