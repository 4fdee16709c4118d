import { openPostgres } from './fixture/postgres.ts';
import { eventPhase } from './phases/events.ts';
import { aimLines } from './report/aims.ts';
import { eventAims, eventTables } from './report/events.ts';
import { fullScale, quickScale } from './scale.ts';

// Only the benchmark of events, on the last build: `npx tsx bench/events.ts [--quick]`

const scale = process.argv.includes('--quick') ? quickScale : fullScale;
const postgres = await openPostgres();
try {
  const results = await eventPhase(postgres, scale.events, line => void process.stderr.write(`${line}\n`));
  process.stdout.write(`${eventTables(results)}\n\n${aimLines(eventAims(results))}\n`);
} finally {
  await postgres.close();
}
