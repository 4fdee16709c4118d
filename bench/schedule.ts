import { openPostgres } from './fixture/postgres.ts';
import { schedulePhase } from './phases/schedule.ts';
import { scheduleTable } from './report/schedule.ts';
import { quickScale, standardScale } from './scale.ts';

// Only the benchmark of the scheduler: `npx tsx bench/schedule.ts [--quick]`

const scale = process.argv.includes('--quick') ? quickScale : standardScale;
const postgres = await openPostgres();
try {
  const results = await schedulePhase(postgres, scale, line => void process.stderr.write(`${line}\n`));
  process.stdout.write(`${scheduleTable(results)}\n`);
} finally {
  await postgres.close();
}
