import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { runCauses } from '../../src/contract/causes.ts';
import { refusalReasons } from '../../src/domain/refusal-reasons.ts';
import { readinessStatuses } from '../../src/http/readiness.ts';
import { levels } from '../../src/main/log-event.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8');

/** The cells of the rows of the table with this header. */
async function tableOf(page: string, header: string): Promise<string[][]> {
  const table = (await read(page)).split(`${header}\n`)[1]!.split('\n\n')[0]!;
  const rows = table
    .split('\n')
    .slice(1)
    .filter(row => row.startsWith('|'));
  return rows.map(row => row.split('|').slice(1, -1)).map(cells => cells.map(cell => cell.trim()));
}

const named = (cell: string) => /^`([^`]+)`/.exec(cell)![1]!;

it('documents every reason of a refusal', async () => {
  const rows = await tableOf('docs/logging.md', '| reason | status | the request |');
  expect(rows.map(([name]) => named(name!)).toSorted()).toEqual(refusalReasons.toSorted());
});

it('documents every status of readiness', async () => {
  const rows = await tableOf('docs/configuration.md', '| `status` | meaning |');
  expect(rows.map(([name]) => named(name!))).toEqual(readinessStatuses);
});

it('documents every connection pool', async () => {
  const rows = await tableOf('docs/metrics.md', '| pool | `application_name` | serves |');
  const code = await read('src/resources/pools.ts');
  const opened = [...code.matchAll(/(?:purpose: |#openForPeople\(|new PoolMeter\()'([a-z-]+)'/g)];
  const pools = opened.map(([, purpose]) => purpose!.replace('-', '_'));
  expect(rows.map(([name]) => named(name!)).toSorted()).toEqual(pools.toSorted());
});

/** Calls of a logger with a level, whose last argument is the event. */
const leveled = /\b(?:log|logger)\??\.(debug|info|warn|error|fatal)\(\s*(?:[^;]*?[,\s])?'([^']+)',?\s*\)/g;
/** Calls that name the event, which `logEvent` logs at its level: their arguments up to its fields. */
const byName = /(?:\blog|\btold|attemptEach)\??\.?\(([^{};]*)/g;

/** Level and name of each event in the code. */
async function eventsInCode(): Promise<Set<string>> {
  const found = new Set<string>(['warn log.dropped', 'info listening']);
  const files = await readdir(new URL('src', root), { recursive: true });
  for (const file of files.filter(name => /(?<!\.test)\.ts$/.test(name))) {
    // Programs for people, and agents, which have formats of their own.
    if (/^(?:cli|agent|probe|shield|main\/(?:commands\/(?!serve)|demo))/.test(file)) continue;
    const text = await read(`src/${file}`);
    for (const [, level, name] of text.matchAll(leveled)) found.add(`${level} ${name}`);
    for (const [, given] of text.matchAll(byName)) {
      for (const [, name] of given!.matchAll(/'([a-z_]+\.[a-z_]+)'/g))
        found.add(`${levels[name!] ?? 'info'} ${name}`);
      const first = /^'([a-z_]+)'/.exec(given!)?.[1];
      if (first) found.add(`${levels[first] ?? 'info'} ${first}`);
    }
    if (file === 'domain/committed-events.ts')
      for (const [, name] of text.matchAll(/readonly event: '(scan\.\w+)'/g)) found.add(`info ${name}`);
  }
  return found;
}

it('documents every event of the log with its level, and no other', async () => {
  const rows = await tableOf('docs/logging.md', '| event | level | fields | meaning |');
  const documented = rows.map(([name, level]) => `${level} ${named(name!)}`);
  expect([...(await eventsInCode())].toSorted()).toEqual(documented.toSorted());
  expect(documented.length).toBeGreaterThan(60);
});

it('has levels of events only', async () => {
  const rows = await tableOf('docs/logging.md', '| event | level | fields | meaning |');
  expect(rows.map(([name]) => named(name!))).toEqual(expect.arrayContaining(Object.keys(levels)));
});

it('names on the page for operators only events, reasons, causes, statuses and metrics that exist', async () => {
  const page = await read('docs/operations.md');
  const events = (await tableOf('docs/logging.md', '| event | level | fields | meaning |')).map(([name]) =>
    named(name!),
  );
  const known = new Set<string>([...events, ...refusalReasons, ...runCauses, ...readinessStatuses]);
  const metrics = await read('docs/metrics.md');
  const unknown = [...page.matchAll(/`((?:[a-z]+[._ ])+[a-z]+)`/g)]
    .map(([, name]) => name!)
    .filter(name => !known.has(name) && !metrics.includes(`\`${name}\``));
  expect(
    unknown.filter(
      name =>
        !/^parapet |^(pg_stat_activity|pg_stat_archiver|pg_replication_slots|clock_ahead_seconds|request_id)$/.test(
          name,
        ),
    ),
  ).toEqual([]);
});
