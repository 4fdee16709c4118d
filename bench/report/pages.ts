import { type RequestTime, shapeOf } from '../measurements/page-requests.ts';
import type { PageLoad } from '../measurements/pages.ts';
import { table } from './table.ts';

const serverAim = 50;
const levelsAim = 2;
const scriptAim = 200_000;
const paintAim = 1_500;

const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0);
const kilobytes = (bytes: number) => (bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0);

/** The pages and their requests as Markdown, with the aims. @param times by shape */
export function pagesText(loads: readonly PageLoad[], times: ReadonlyMap<string, RequestTime>): string {
  const pages = table(
    ['page', 'slowest request p95', 'API levels', 'scripts kB gzipped', 'data kB', 'nodes', 'LCP ms'],
    loads.map(load => [
      load.page.name,
      ms(slowest(load, times)),
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
  const aims = table(
    ['aim', 'result'],
    [
      aim(`server time below ${serverAim} ms at p95`, loads, load => slowest(load, times), serverAim),
      aim(`at most ${levelsAim} dependent API requests`, loads, load => load.levels, levelsAim + 1),
      aim('first visit below 200 kB of gzipped scripts', loads, load => load.scriptBytes, scriptAim),
      aim('LCP below 1.5 s on slow 4G with a CPU four times slower', loads, load => load.lcp, paintAim),
    ],
  );
  return [pages, requests, aims].join('\n\n');
}

function slowest({ requests }: PageLoad, times: ReadonlyMap<string, RequestTime>): number {
  return Math.max(0, ...requests.map(path => times.get(shapeOf(path))?.p95 ?? 0));
}

function aim(text: string, loads: readonly PageLoad[], figureOf: (load: PageLoad) => number, below: number) {
  const missed = loads.filter(load => figureOf(load) >= below);
  const most = Math.max(...loads.map(figureOf));
  if (missed.length === 0) return [text, `yes: at most ${ms(most)}`];
  return [
    text,
    `**no** for ${missed.length} of ${loads.length}: ${missed.map(({ page }) => page.name).join(', ')}`,
  ];
}
