import type { Interactions } from '../measurements/interactions.ts';
import { type RequestTime, shapeOf } from '../measurements/page-requests.ts';
import type { PageLoad } from '../measurements/pages.ts';
import { table } from './table.ts';

const serverAim = 50;
const levelsAim = 2;
const scriptAim = 200_000;
const paintAim = 1_500;
const interactionAim = 100;

const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0);
const kilobytes = (bytes: number) => (bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0);

/** The pages and their requests as Markdown, with the aims. @param times by shape */
export function pagesText(
  loads: readonly PageLoad[],
  times: ReadonlyMap<string, RequestTime>,
  interactions: Interactions,
): string {
  const pages = table(
    ['page', 'slowest request p95', 'API levels', 'scripts kB gzipped', 'data kB', 'nodes', 'LCP ms'],
    loads.map(load => [
      load.page.name,
      ms(most(load, times, ({ p95 }) => p95)),
      String(load.levels),
      kilobytes(load.scriptBytes),
      kilobytes(load.dataBytes),
      load.nodes.toLocaleString('en'),
      ms(load.lcp),
    ]),
  );
  const requests = table(
    ['request', 'p50 ms', 'p95 ms', 'CPU ms: server', 'PostgreSQL', 'kB'],
    [...times].map(([shape, time]) => [
      shape,
      ms(time.p50),
      ms(time.p95),
      ms(time.server),
      ms(time.postgres),
      kilobytes(time.bytes),
    ]),
  );
  const keys = table(
    [`key, with ${interactions.rows.toLocaleString('en')} rows`, 'median ms', 'worst ms'],
    interactions.keys.map(key => [key.name, ms(key.median), ms(key.worst)]),
  );
  const aims = table(
    ['aim', 'result'],
    [
      aim(
        `server time below ${serverAim} ms at p95`,
        loads,
        load => most(load, times, ({ p95 }) => p95),
        serverAim,
      ),
      aim(
        `CPU of server and PostgreSQL below ${serverAim} ms`,
        loads,
        load => most(load, times, cpuOf),
        serverAim,
      ),
      aim(`at most ${levelsAim} dependent API requests`, loads, load => load.levels, levelsAim + 1),
      aim('first visit below 200 kB of gzipped scripts', loads, load => load.scriptBytes, scriptAim),
      aim('LCP below 1.5 s on slow 4G with a CPU four times slower', loads, load => load.lcp, paintAim),
      interactionResult(interactions),
    ],
  );
  return [pages, requests, keys, aims].join('\n\n');
}

const cpuOf = ({ server, postgres }: RequestTime) => server + postgres;

/** Of the requests of a page. */
function most(
  { requests }: PageLoad,
  times: ReadonlyMap<string, RequestTime>,
  figureOf: (time: RequestTime) => number,
): number {
  const found = requests.flatMap(path => times.get(shapeOf(path)) ?? []);
  return Math.max(0, ...found.map(figureOf));
}

function interactionResult({ rows, nodes, keys }: Interactions): string[] {
  const slowest = Math.max(...keys.map(({ median }) => median));
  const worst = Math.max(...keys.map(key => key.worst));
  return [
    `interaction below ${interactionAim} ms with ${rows.toLocaleString('en')} loaded rows`,
    `${slowest < interactionAim ? 'yes' : '**no**'}: medians of at most ${ms(slowest)} ms, worst ${ms(worst)} ms; ${nodes.toLocaleString('en')} nodes`,
  ];
}

function aim(text: string, loads: readonly PageLoad[], figureOf: (load: PageLoad) => number, below: number) {
  const missed = loads.filter(load => figureOf(load) >= below);
  if (missed.length === 0) return [text, `yes: at most ${ms(Math.max(...loads.map(figureOf)))}`];
  return [
    text,
    `**no** for ${missed.length} of ${loads.length}: ${missed.map(load => `${load.page.name} (${ms(figureOf(load))})`).join(', ')}`,
  ];
}
