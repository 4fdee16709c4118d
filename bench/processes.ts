import { openPostgres } from './fixture/postgres.ts';
import { processPhase } from './phases/processes.ts';
import { aimLines } from './report/aims.ts';
import { processAims, processTable } from './report/processes.ts';
import { fullScale, quickScale } from './scale.ts';

// Only the benchmark of one and several processes, on the last build: `npx tsx bench/processes.ts [--quick]`.

const scale = process.argv.includes('--quick') ? quickScale : fullScale;
const postgres = await openPostgres();
try {
  const measured = await processPhase(postgres, scale, line => void process.stderr.write(`${line}\n`));
  process.stdout.write(`${processTable(measured)}\n\n${aimLines(processAims(measured))}\n`);
} finally {
  await postgres.close();
}
