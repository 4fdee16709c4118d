import { openPostgres } from './fixture/postgres.ts';
import { writePhase } from './phases/writes.ts';
import { aimLines } from './report/aims.ts';
import { writeAims, writeTables } from './report/writes.ts';
import { fullScale, quickScale } from './scale.ts';

// Only the benchmark of requests that change data, on the last build: `npx tsx bench/writes.ts [--quick]`

const scale = process.argv.includes('--quick') ? quickScale : fullScale;
const postgres = await openPostgres();
try {
  const results = await writePhase(postgres, scale, line => void process.stderr.write(`${line}\n`));
  process.stdout.write(`${writeTables(results)}\n\n${aimLines(writeAims(results))}\n`);
} finally {
  await postgres.close();
}
