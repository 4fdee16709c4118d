import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { progress } from '../report/progress.ts';
import { table } from '../report/table.ts';
import type { AccuracyCase, Depth, Family } from './case.ts';
import { families } from './families.ts';
import { type CaseResult, precisionOf, recallOf, scoreOf, sum } from './score.ts';

// Recall and precision of scans by family, against targets with known flaws: `npm run accuracy`. Fails if a figure is below
// `floor.json`, which `--record` raises. `--family NAME` and `--case WORDS` run a part, and `--misses` lists every miss and false alarm.

const { values: options } = parseArgs({
  options: {
    family: { type: 'string' },
    case: { type: 'string' },
    misses: { type: 'boolean' },
    record: { type: 'boolean' },
  },
});

type Figures = { readonly recall: number | null; readonly precision: number | null };
type Floor = Record<string, Partial<Record<Depth, Figures>>>;

const floorFile = new URL('floor.json', import.meta.url);
const floor = JSON.parse(readFileSync(floorFile, 'utf8')) as Floor;
const isPart = options.family !== undefined || options.case !== undefined;
/** Enough to use both processor and waiting time. */
const atOnce = 4;

const chosen = families
  .filter(({ name }) => options.family === undefined || name === options.family)
  .map(family => ({
    ...family,
    cases: family.cases.filter(({ name }) => options.case === undefined || name.includes(options.case)),
  }));

interface Outcome {
  readonly depth: Depth;
  readonly one: AccuracyCase;
  readonly result: CaseResult;
}

async function outcomesOf({ name, cases }: Family): Promise<Outcome[]> {
  const left = cases.flatMap(one => depthsOf(one).map(depth => ({ one, depth })));
  const outcomes: Outcome[] = [];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const { one, depth } = next;
        const { observations } = await one.scan(depth).catch((error: unknown) => {
          throw new Error(`${name}: ${one.name}, ${depth}`, { cause: error });
        });
        outcomes.push({ depth, one, result: scoreOf(one, depth, observations) });
      }
    }),
  );
  return outcomes;
}

const depthsOf = ({ inFullScans }: AccuracyCase): Depth[] =>
  inFullScans === undefined ? ['safe'] : ['safe', 'full'];

const percent = (share: number | null | undefined) =>
  share === null || share === undefined ? '–' : `${(share * 100).toFixed(1)} %`;

/** Recall by cases with flaws, precision by cases with a report. */
async function specialistsOf({ cases, specialists = [] }: Family): Promise<string> {
  const judged = cases.filter(({ material }) => material !== undefined);
  const columns = await Promise.all(
    specialists.map(async ({ name, judge }) => {
      const reports = await judge(judged.map(({ material }) => material!));
      const flawed = judged.map(one => one.flaws.length + (one.inFullScans?.length ?? 0) > 0);
      const reported = reports.filter(Boolean).length;
      const right = reports.filter((report, at) => report && flawed[at]).length;
      const all = flawed.filter(Boolean).length;
      return `${name} ${percent(all === 0 ? null : right / all)} / ${percent(reported === 0 ? null : right / reported)}`;
    }),
  );
  return columns.length === 0 ? '–' : columns.join(', ');
}

/** The floor only rises. */
const higher = (least: number | null | undefined, now: number | null) =>
  now === null ? null : Math.max(now, least ?? 0);

const rows: string[][] = [];
const below: string[] = [];
const recorded: Floor = {};
for (const family of chosen) {
  progress(`${family.name}: ${family.cases.length} cases`);
  const outcomes = await outcomesOf(family);
  const figures = (['safe', 'full'] as const).map(depth => {
    const total = sum(outcomes.filter(outcome => outcome.depth === depth).map(({ result }) => result));
    return { depth, recall: recallOf(total), precision: precisionOf(total) };
  });
  for (const { depth, recall, precision } of figures) {
    const least = floor[family.name]?.[depth];
    const isBelow = (least: number | null | undefined, now: number | null) =>
      least !== null && least !== undefined && (now ?? 0) < least;
    if (!isPart && isBelow(least?.recall, recall))
      below.push(`${family.name}, ${depth}: recall ${percent(recall)}`);
    if (!isPart && isBelow(least?.precision, precision))
      below.push(`${family.name}, ${depth}: precision ${percent(precision)}`);
    // Rounded down, so that the same result is never below.
    const down = (share: number | null) => (share === null ? null : Math.floor(share * 1_000) / 1_000);
    recorded[family.name] = {
      ...recorded[family.name],
      [depth]: {
        recall: higher(least?.recall, down(recall)),
        precision: higher(least?.precision, down(precision)),
      },
    };
  }
  const good = family.cases.filter(one => one.flaws.length + (one.inFullScans?.length ?? 0) === 0).length;
  rows.push([
    family.name,
    `${family.cases.length} (${good} good)`,
    ...figures.map(({ recall, precision }) => `${percent(recall)} / ${percent(precision)}`),
    await specialistsOf(family),
  ]);
  if (options.misses || isPart) {
    for (const { depth, one, result } of outcomes) {
      for (const flaw of result.missed) progress(`missed: ${family.name}, ${one.name} (${depth}): ${flaw}`);
      for (const alarm of result.falseAlarms)
        progress(`false alarm: ${family.name}, ${one.name} (${depth}): ${alarm}`);
    }
  }
}

process.stdout.write(
  `${table(['family', 'cases', 'safe scan', 'full scan', 'specialists'], rows)}\n\nRecall / precision above info.\n`,
);
if (options.record && !isPart) writeFileSync(floorFile, `${JSON.stringify(recorded, null, 2)}\n`);
for (const line of below) process.stderr.write(`below floor.json: ${line}\n`);
process.exitCode = below.length > 0 && !options.record ? 1 : 0;
