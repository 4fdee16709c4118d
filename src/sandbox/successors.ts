import type { SandboxProcess } from './process.ts';

interface Successor {
  readonly organizationId: string;
  take(process: SandboxProcess): void;
}

/** Tasks with a permit that wait to reuse a running process of their organization instead of starting another. */
export class Successors {
  readonly #waiting: Successor[] = [];

  /** The next process that is free, or undefined after the time or when aborted. */
  next(organizationId: string, signal: AbortSignal, withinMs: number): Promise<SandboxProcess | undefined> {
    return new Promise(resolve => {
      const settle = (process: SandboxProcess | undefined) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        resolve(process);
      };
      const successor = { organizationId, take: settle };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(successor), 1);
        settle(undefined);
      };
      signal.addEventListener('abort', giveUp);
      const timer = setTimeout(giveUp, withinMs);
      this.#waiting.push(successor);
    });
  }

  /** Whether a task takes the process. */
  offer(process: SandboxProcess, organizationId: string): boolean {
    const next = this.#waiting.findIndex(successor => successor.organizationId === organizationId);
    if (next === -1) return false;
    const [successor] = this.#waiting.splice(next, 1);
    successor!.take(process);
    return true;
  }
}
