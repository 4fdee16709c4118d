import type { ShieldEvent } from '../contract/shield-events.ts';

/**
 * Takes events, to send them later.
 *
 * Events and the state are stored together, in one durable step. Counts add up, so an event that was made twice from the same lines would
 * count them twice, even under another cut of the lines: ids made from positions would recognize only events that were cut equally,
 * which depends on the time. A restart continues from the stored state, and what was made after it is made again.
 */
export interface ShieldSink<State> {
  /**
   * @param events may be empty, when only the state is new
   * @throws if storing fails. Either both are stored then, or neither is: the sink's own state is the one that is stored
   */
  put(events: readonly ShieldEvent[], state: State): Promise<void>;
}

/** The fields of all events. */
export interface ForwarderIdentity {
  /** Lowercase letters, digits and single hyphens. */
  readonly name: string;
  readonly version: string;
  /** A UUID of this process. */
  readonly instance: string;
}
