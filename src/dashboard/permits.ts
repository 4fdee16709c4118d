import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../domain/refusal.ts';

export interface PermitOptions {
  /** Works that a node does at once. */
  readonly atOnce: number;
  /** Of which one organization may have so many, so that none keeps the others waiting. */
  readonly perOrganization: number;
  /** Works of one organization that may wait; one more is refused. */
  readonly waitingPerOrganization?: number;
  /** Milliseconds after which one that waits is refused. */
  readonly longestWaitMs?: number;
}

interface Waiting {
  readonly organizationId: string;
  begin(): void;
}

/** Who asks for a permit: an organization, until the client goes away. */
export interface Applicant {
  readonly organizationId: string;
  readonly gone: AbortSignal;
}

/** Lets a number of works go on at once; some more wait, in the order in which they came; the rest is refused. */
export class Permits {
  readonly #options: Required<PermitOptions>;
  readonly #held = new Map<string, number>();
  #free: number;
  #waiting: Waiting[] = [];

  constructor(options: PermitOptions) {
    this.#options = { waitingPerOrganization: 2, longestWaitMs: 20_000, ...options };
    this.#free = options.atOnce;
  }

  /** Throws `too_many_downloads` where it does not come to it. */
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
    // Who waits takes the place over: nobody can come in between.
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
