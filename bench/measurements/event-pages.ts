import type { ListEvents } from '../../src/contract/dashboard/events.ts';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { countEvents } from '../../src/resources/events/event-counts.ts';
import { listEventRows } from '../../src/resources/events/event-list.ts';
import { keyIds, rareKeyId, rareKind } from '../fixture/events.ts';
import { familyCpuSeconds } from '../processes/cpu-time.ts';
import { median } from './median.ts';

const hour = 3_600_000;
const day = 24 * hour;
export const periods = [1, 7, 90] as const;

/** One answer. Other work on the machine does not count as CPU time. */
export interface AnswerTime {
  /** Milliseconds of service and PostgreSQL together. */
  readonly cpu: number;
  /** Median in milliseconds. */
  readonly elapsed: number;
}

/** What the events page loads: the counts, and the first page of the list. */
export interface EventPageTime {
  readonly filter: string;
  readonly days: number;
  readonly counts: AnswerTime;
  readonly list: AnswerTime;
}

export async function measureEventPages(
  store: TenantStore,
  systemId: string,
  postmaster: number,
  rounds: number,
): Promise<EventPageTime[]> {
  const filters: Readonly<Record<string, ListEvents>> = {
    'no filter': {},
    'channel, of 90% of the events': { channel: 'events' },
    'kind, of 5%': { kind: 'database.setting_3' },
    'kind, of ten events': { kind: rareKind },
    'system, of 5%': { system_id: systemId },
    'key, of a third': { key_id: keyIds[0]! },
    'key, of ten events': { key_id: rareKeyId },
    'system, channel and kind, of two events': { system_id: systemId, channel: 'events', kind: rareKind },
  };
  const times: EventPageTime[] = [];
  for (const [filter, fields] of Object.entries(filters)) {
    for (const days of periods) {
      // From a whole hour, as on the page.
      const query = (): ListEvents => {
        const start = Date.now() - days * day;
        return { ...fields, from: new Date(start - (start % hour)).toISOString() };
      };
      // Events are not counted by key.
      const counted = () => {
        const { key_id: _, ...filters } = query();
        return countEvents(store, filters);
      };
      const counts = await timed(postmaster, rounds, counted);
      const list = await timed(postmaster, rounds, () => listEventRows(store, query()));
      times.push({ filter, days, counts, list });
    }
  }
  return times;
}

/** After one round to warm up. */
async function timed(postmaster: number, rounds: number, work: () => Promise<unknown>): Promise<AnswerTime> {
  await work();
  const times: number[] = [];
  const cpuSeconds = () => familyCpuSeconds(postmaster) + process.cpuUsage().user / 1e6;
  const before = cpuSeconds();
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return { cpu: ((cpuSeconds() - before) * 1_000) / rounds, elapsed: median(times) };
}
