import { Forked } from '../processes/forked.ts';
import type { Caller } from './caller.ts';
import type { Command, Outcome, Round } from './round.ts';

/** The process that generates load, as used by the measuring process. */
export class Load {
  readonly #client = new Forked<Command, Outcome | null>(new URL('./client.ts', import.meta.url));

  async callers(group: string, callers: readonly Caller[]): Promise<void> {
    await this.#client.tell({ kind: 'callers', group, callers });
  }

  /** Signs, then sends. `aboutToSend` is called in between. Throws if any response is not 2xx. */
  async run(round: Round, aboutToSend: () => void = () => {}): Promise<Outcome> {
    await this.#client.tell({ kind: 'prepare', round });
    aboutToSend();
    const outcome = await this.#client.tell({ kind: 'run' });
    if (outcome === null) throw new Error('the load process returned no outcome');
    return outcome;
  }

  close(): void {
    this.#client.close();
  }
}
