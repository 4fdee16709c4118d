import { type AnswerTime, periods } from '../measurements/event-pages.ts';
import type { EventResults } from '../measurements/results.ts';
import type { Aim } from './aims.ts';
import { table } from './table.ts';

const [mostGrowth, mostMs] = [1.2, 100];

/** Rates of ingest, its cost as events are stored, and the time of the events page. */
export function eventTables({ stored, fleets, bulk, costs, pages }: EventResults): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const cpu = (seconds: number) => (seconds === 0 ? '' : seconds.toFixed(4));
  const row = (name: string, rate: EventResults['bulk']) => [
    name,
    whole(rate.eventsPerSecond),
    cpu(rate.serverCpu),
    cpu(rate.postgresCpu),
  ];
  const answer = ({ cpu, elapsed }: AnswerTime) => `${cpu.toFixed(0)} (${elapsed.toFixed(0)})`;
  const head = ['events/s', 'CPU s per 1,000: server', 'PostgreSQL'];
  return [
    table(
      ['batches of 500 events', ...head],
      [
        ...fleets.map(({ probes, ...rate }) => row(probes === 1 ? '1 probe' : `${probes} probes`, rate)),
        row('one bulk insert, without the API', bulk),
      ],
    ),
    table(
      ['one organization, stored events', ...head],
      costs.map(({ stored, randomIds, ...rate }) =>
        row(`${whole(stored)}, ${randomIds ? 'random ids' : 'UUIDv7'}`, rate),
      ),
    ),
    table(
      [
        `${whole(stored)} events: CPU ms (elapsed) for counts, list`,
        ...periods.map(days => (days === 1 ? '1 day' : `${days} days`)),
      ],
      [...new Set(pages.map(({ filter }) => filter))].map(filter => [
        filter,
        ...pages
          .filter(page => page.filter === filter)
          .map(({ counts, list }) => `${answer(counts)}, ${answer(list)}`),
      ]),
    ),
  ].join('\n\n');
}

export function eventAims({ stored, fleets, bulk, costs, pages }: EventResults): Aim[] {
  const shares = fleets.map(({ probes, eventsPerSecond }) => ({
    probes,
    share: eventsPerSecond / bulk.eventsPerSecond,
  }));
  const cost = (isMany: boolean) => {
    const { serverCpu, postgresCpu } = costs.find(
      each => (each.stored === stored) === isMany && !each.randomIds,
    )!;
    return serverCpu + postgresCpu;
  };
  const growth = cost(true) / cost(false);
  const answers = pages.flatMap(({ counts, list }) => [counts, list]);
  const slowest = Math.max(...answers.map(({ cpu }) => cpu));
  return [
    {
      aim: '1, 8 and 64 probes store at least half the events/s of one bulk insert into a plain table',
      met: shares.every(({ share }) => share >= 0.5),
      because: shares.map(({ probes, share }) => `${probes}: ${(share * 100).toFixed(0)}%`).join(', '),
    },
    {
      aim: `with ${stored.toLocaleString('en')} stored events, one more takes at most ${mostGrowth} times the CPU`,
      met: growth <= mostGrowth,
      because: `${growth.toFixed(2)} times`,
    },
    {
      aim: `the events page takes less than ${mostMs} ms of CPU for each of its answers`,
      met: slowest < mostMs,
      because: `slowest: ${slowest.toFixed(0)} ms`,
    },
  ];
}
