import { readFile } from 'node:fs/promises';
import type { Spool } from '../agent/spool.ts';
import { spoolEvents } from '../agent/spool-events.ts';
import { writeAtomically } from '../agent/write-atomically.ts';
import type { ShieldEvent } from '../contract/shield-events.ts';
import type { ShieldSink } from './sink.ts';

interface Stored<State> {
  readonly state: State;
  /** The events that were made together with the state: they may not be in the spool yet. */
  readonly events: readonly ShieldEvent[];
}

/**
 * Stores the state and its events in one file, puts the events into the spool, and removes them from the file. After a crash in between,
 * they are put there again, under the same ids: the service stores each once. Other starts do not repeat them: a full spool would count
 * them as dropped.
 */
export class StoredSink<State> implements ShieldSink<State> {
  readonly #path: string;
  readonly #spool: Pick<Spool, 'append'>;
  #state: State;

  private constructor(path: string, spool: Pick<Spool, 'append'>, state: State) {
    this.#path = path;
    this.#spool = spool;
    this.#state = state;
  }

  /**
   * @param initial the state without a file, or with a damaged one
   * @throws if the file cannot be read: the initial state would count a log again
   */
  static async open<State>(
    path: string,
    spool: Pick<Spool, 'append'>,
    initial: State,
  ): Promise<StoredSink<State>> {
    const stored = (await readStored<State>(path)) ?? { state: initial, events: [] };
    const sink = new StoredSink(path, spool, stored.state);
    await sink.#append(stored.events);
    return sink;
  }

  /** As last stored. */
  get state(): State {
    return this.#state;
  }

  async put(events: readonly ShieldEvent[], state: State): Promise<void> {
    await this.#store(state, events);
    this.#state = state;
    await this.#append(events);
  }

  #store(state: State, events: readonly ShieldEvent[]): Promise<void> {
    return writeAtomically(this.#path, JSON.stringify({ state, events } satisfies Stored<State>));
  }

  async #append(events: readonly ShieldEvent[]): Promise<void> {
    if (events.length === 0) return;
    await spoolEvents(this.#spool, events, 0);
    await this.#store(this.#state, []);
  }
}

/** Undefined if the file is missing or damaged. */
async function readStored<State>(path: string): Promise<Stored<State> | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const stored = JSON.parse(text) as Partial<Stored<State>> | null;
    return stored?.state && Array.isArray(stored.events) ? (stored as Stored<State>) : undefined;
  } catch {
    return undefined;
  }
}
