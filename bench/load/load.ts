import { Forked } from '../processes/forked.ts';
import type { Caller } from './caller.ts';
import type { Command, Outcome, Round } from './round.ts';

/** The process that makes the load, seen from the one that measures. */
export class Load {
  readonly #client = new Forked<Command, Outcome | null>(new URL('./client.ts', import.meta.url));

  async callers(group: string, callers: readonly Caller[]): Promise<void> {
    await this.#client.tell({ kind: 'callers', group, callers });
  }

  /** Signs, then sends. `aboutToSend` is called in between. Throws when any answer is not 2xx. */
  async run(round: Round, aboutToSend: () => void = () => {}): Promise<Outcome> {
    await this.#client.tell({ kind: 'prepare', round });
    aboutToSend();
    const outcome = await this.#client.tell({ kind: 'run' });
    if (outcome === null) throw new Error('the load gave no outcome');
    return outcome;
  }

  close(): void {
    this.#client.close();
  }
}
