import { openPostgres } from './fixture/postgres.ts';
import { throughputPhase } from './phases/throughput.ts';
import { aimLines } from './report/aims.ts';
import { requestAims, requestTable } from './report/requests.ts';
import { fullScale, quickScale } from './scale.ts';

// Only the benchmark of signed requests, on the last build: `npx tsx bench/requests.ts [--quick]`

const scale = process.argv.includes('--quick') ? quickScale : fullScale;
const postgres = await openPostgres();
try {
  const results = await throughputPhase(postgres, scale, line => void process.stderr.write(`${line}\n`));
  process.stdout.write(`${requestTable(results)}\n\n${aimLines(requestAims(results))}\n`);
} finally {
  await postgres.close();
}
