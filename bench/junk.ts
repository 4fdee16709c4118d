import { openPostgres } from './fixture/postgres.ts';
import { junkPhase } from './phases/junk.ts';
import { junkTable } from './report/junk.ts';
import { fullScale, quickScale } from './scale.ts';

// The benchmark of junk alone, of what was built last: `npx tsx bench/junk.ts [--quick]`

const scale = process.argv.includes('--quick') ? quickScale : fullScale;
const postgres = await openPostgres();
try {
  const outcome = await junkPhase(postgres, scale.junk, line => void process.stderr.write(`${line}\n`));
  process.stdout.write(`${junkTable(outcome)}\n`);
} finally {
  await postgres.close();
}
