import { readFileSync } from 'node:fs';
import { openPostgres } from './fixture/postgres.ts';
import type { ScenarioName } from './measurements/results.ts';
import { throughputPhase } from './phases/throughput.ts';
import { cpuOf } from './report/requests.ts';
import { checkScale } from './scale.ts';

// Fails if a request takes over a quarter more CPU, as a multiple of the minimal service's, than `ratios.json` says:
// `npm run bench:check`, in CI. The minimal service reads and writes as much, so that other work on the machine makes both dearer alike; it
// makes the bare route up to three times as dear, and an unchanged list less. A request fails only if it is too dear in each of three runs.

const mostGrowth = 1.25;
const mostRuns = 3;

const expected = JSON.parse(readFileSync(new URL('ratios.json', import.meta.url), 'utf8')) as Partial<
  Record<ScenarioName, number>
>;
const names = Object.keys(expected) as ScenarioName[];
const least = new Map<ScenarioName, number>();
const grown = () => names.filter(name => least.get(name)! > expected[name]! * mostGrowth);
const progress = (line: string) => void process.stderr.write(`${line}\n`);

const postgres = await openPostgres();
try {
  for (let run = 1; run <= mostRuns && (run === 1 || grown().length > 0); run++) {
    progress(`run ${run}: seeding`);
    const measured = await throughputPhase(postgres, checkScale, progress);
    for (const name of names) {
      const ratio = cpuOf(measured[name]) / cpuOf(measured.selfMade);
      progress(
        `${name}: ${cpuOf(measured[name]).toFixed(3)} ms, ${ratio.toFixed(2)} times the minimal service`,
      );
      least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, ratio));
    }
  }
} finally {
  await postgres.close();
}
for (const name of names) {
  process.stdout.write(
    `${name}: ${least.get(name)!.toFixed(2)} times the minimal service, expected ${expected[name]}\n`,
  );
}
for (const name of grown()) process.stderr.write(`${name} takes over a quarter more CPU than expected\n`);
process.exitCode = grown().length > 0 ? 1 : 0;
