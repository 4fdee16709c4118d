import { setTimeout as pause } from 'node:timers/promises';
import { type ShieldEvent, type ShieldRequests, shieldEvents } from '../../src/contract/shield-events.ts';
import { linearAjv } from '../../src/http/validation.ts';
import type { ShieldSink } from '../../src/shield/sink.ts';

const ajv = linearAjv();
const validators = Object.fromEntries(
  Object.entries(shieldEvents).map(([kind, schema]) => [kind, ajv.compile(schema)]),
);

/** Keeps events and the last state in memory. Fails if an event is not valid, or too large to send. */
export class MemorySink<State> implements ShieldSink<State> {
  readonly events: ShieldEvent[] = [];
  state: State;

  constructor(state: State) {
    this.state = state;
  }

  async put(events: readonly ShieldEvent[], state: State): Promise<void> {
    // Storing takes a moment.
    await pause(1);
    for (const event of events) {
      const validate = validators[event.kind]!;
      if (!validate(event)) throw new Error(`${event.kind}: ${ajv.errorsText(validate.errors)}`);
      if (JSON.stringify(event).length > 200_000) throw new Error(`${event.kind} is too large`);
    }
    this.events.push(...events);
    this.state = state;
  }

  get requests(): ShieldRequests[] {
    return this.events.filter(event => event.kind === 'shield.requests');
  }

  /** Requests by a property of their groups. */
  counts(by: 'action' | 'attack' | 'host'): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { [by]: name, count } of this.requests.flatMap(({ groups, others }) => [
      ...groups,
      ...others,
    ])) {
      counts[`${name}`] = (counts[`${name}`] ?? 0) + count;
    }
    return counts;
  }
}
