import { openPostgres } from './fixture/postgres.ts';
import { junkPhase } from './phases/junk.ts';
import { aimLines, junkAims } from './report/aims.ts';
import { junkTable } from './report/junk.ts';
import { fullScale, quickScale } from './scale.ts';

// Only the benchmark with junk, on the last build: `npx tsx bench/junk.ts [--quick]`. Fails if an aim is
// missed.

const scale = process.argv.includes('--quick') ? quickScale : fullScale;
const postgres = await openPostgres();
try {
  const outcome = await junkPhase(postgres, scale.junk, line => void process.stderr.write(`${line}\n`));
  const aims = junkAims(outcome);
  process.stdout.write(`${junkTable(outcome)}\n\n${aimLines(aims)}\n`);
  if (aims.some(({ met }) => !met)) process.exitCode = 1;
} finally {
  await postgres.close();
}
