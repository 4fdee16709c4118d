import { readFileSync } from 'node:fs';
import { openPostgres } from './fixture/postgres.ts';
import type { ScenarioName } from './measurements/results.ts';
import { throughputPhase } from './phases/throughput.ts';
import { cpuRatios } from './report/requests.ts';
import { checkScale } from './scale.ts';

// Fails if a request takes over a quarter more CPU, as a multiple of the bare route's, than `ratios.json` says:
// `npm run bench:check`, in CI. Other work on the machine can make one run look dear: a request fails only if
// it is too dear in each of three runs.

const mostGrowth = 1.25;
const mostRuns = 3;

const expected = JSON.parse(readFileSync(new URL('ratios.json', import.meta.url), 'utf8')) as Partial<
  Record<ScenarioName, number>
>;
const least = new Map<string, number>();
const grown = () => Object.entries(expected).filter(([name, ratio]) => least.get(name)! > ratio * mostGrowth);

const postgres = await openPostgres();
try {
  for (let run = 1; run <= mostRuns && (run === 1 || grown().length > 0); run++) {
    const measured = cpuRatios(await throughputPhase(postgres, checkScale, () => {}));
    for (const name of Object.keys(expected) as ScenarioName[]) {
      least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, measured[name]));
    }
  }
} finally {
  await postgres.close();
}
for (const [name, ratio] of Object.entries(expected)) {
  process.stdout.write(`${name}: ${least.get(name)!.toFixed(2)} times the bare route, expected ${ratio}\n`);
}
for (const [name] of grown()) process.stderr.write(`${name} takes over a quarter more CPU than expected\n`);
process.exitCode = grown().length > 0 ? 1 : 0;
