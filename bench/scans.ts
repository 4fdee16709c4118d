import { openPostgres } from './fixture/postgres.ts';
import { scanPhase } from './phases/scans.ts';
import { scanTables } from './report/scans.ts';
import { fullScale, quickScale } from './scale.ts';

// Only the benchmark of scans, on the last build: `npx tsx bench/scans.ts [--quick]`

const scale = process.argv.includes('--quick') ? quickScale : fullScale;
const postgres = await openPostgres();
try {
  const results = await scanPhase(postgres, scale, line => void process.stderr.write(`${line}\n`));
  process.stdout.write(`${scanTables(results)}\n`);
} finally {
  await postgres.close();
}
