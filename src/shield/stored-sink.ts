import { readFile } from 'node:fs/promises';
import type { Clock } from '../agent/clock.ts';
import type { Spool } from '../agent/spool.ts';
import { spoolEvents } from '../agent/spool-events.ts';
import { ignoreFullDisk } from '../agent/spool-files.ts';
import { writeAtomically } from '../agent/write-atomically.ts';
import type { ShieldEvent } from '../contract/shield-events.ts';
import { correctTimes } from './make-events.ts';
import type { ShieldSink } from './sink.ts';

interface Stored<State> {
  readonly state: State;
  /** The events that were made together with the state: they may not be in the spool yet. */
  readonly events: readonly ShieldEvent[];
  /** Of the clock, when they were made: see `Recorded`. */
  readonly offset: number | null;
}

export interface StoredSinkOptions<State> {
  readonly path: string;
  readonly spool: Pick<Spool, 'append'>;
  readonly clock: Pick<Clock, 'offset'>;
  /** The state without a file, or with a damaged one. */
  readonly initial: State;
  /** Fields of events with times of another machine's clock. */
  readonly foreign?: readonly string[];
}

/**
 * Stores the state and its events in one file, puts the events into the spool, and removes them from the file. After a crash in between,
 * they are put there again, under the same ids: the service stores each once. Other starts do not repeat them: a full spool would count
 * them as dropped.
 */
export class StoredSink<State extends object> implements ShieldSink<State> {
  readonly #options: StoredSinkOptions<State>;
  #state: State;
  /** What is stored, and not known to be in the spool. */
  #pending: Stored<State> | undefined;

  private constructor(options: StoredSinkOptions<State>, stored: Stored<State> | undefined) {
    this.#options = options;
    // One of an earlier version may lack a field.
    this.#state = { ...options.initial, ...stored?.state };
    this.#pending = stored;
  }

  /**
   * Begins with the initial state if the file is missing or damaged, which counts a log again: it will not be readable later.
   *
   * @throws if the file cannot be read: it may be readable later
   */
  static async open<State extends object>(options: StoredSinkOptions<State>): Promise<StoredSink<State>> {
    const stored = await readStored<State>(options.path);
    const sink = new StoredSink(options, stored);
    await sink.#append();
    return sink;
  }

  /** As last stored. */
  get state(): State {
    return this.#state;
  }

  /**
   * @param events with times of this machine's clock, which are corrected as soon as the service's is known
   * @throws if the file cannot be written: then `state` is the one before. Also if the events cannot be put into the spool: then they are
   *   stored, `state` is the new one, and the next call or start puts them there
   */
  async put(events: readonly ShieldEvent[], state: State): Promise<void> {
    await this.#append();
    const { clock, foreign } = this.#options;
    // Appending may take until after the service's time is learned.
    const { offset } = clock;
    const stored = { state, events: correctTimes(events, { offset }, foreign), offset };
    await this.#store(stored);
    this.#state = state;
    this.#pending = stored;
    await this.#append();
  }

  #store(stored: Stored<State>): Promise<void> {
    return writeAtomically(this.#options.path, JSON.stringify(stored));
  }

  async #append(): Promise<void> {
    const { events = [], offset = null } = this.#pending ?? {};
    if (events.length === 0) return;
    await spoolEvents(this.#options.spool, events, offset, this.#options.foreign);
    this.#pending = undefined;
    // With a full disk they remain in the file, and only the next start puts them there again.
    await this.#store({ state: this.#state, events: [], offset }).catch(ignoreFullDisk);
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
