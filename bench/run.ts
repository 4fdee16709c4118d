import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { openPostgres } from './fixture/postgres.ts';
import { measureDetectors } from './measurements/detectors.ts';
import type { Results } from './measurements/results.ts';
import { measureVerification } from './measurements/verification.ts';
import { eventPhase } from './phases/events.ts';
import { junkPhase } from './phases/junk.ts';
import { latencyPhase } from './phases/latency.ts';
import { processPhase } from './phases/processes.ts';
import { scanPhase } from './phases/scans.ts';
import { schedulePhase } from './phases/schedule.ts';
import { throughputPhase } from './phases/throughput.ts';
import { writePhase } from './phases/writes.ts';
import { judgeAims } from './report/aims.ts';
import { progress } from './report/progress.ts';
import { reportText } from './report/text.ts';
import { fullScale, quickScale, standardScale } from './scale.ts';

// docs/benchmarks.md describes the measurements. The run fails if any request is refused; a missed aim does not fail it.

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
if (process.platform !== 'linux') {
  process.stderr.write('The benchmark reads CPU times from /proc: it runs on Linux\n');
  process.exit(1);
}
const scale = options.quick ? quickScale : options.full ? fullScale : standardScale;

if (options.quick) progress('--quick checks that every measurement runs: its figures and aims mean nothing');

const postgres = await openPostgres();
try {
  const verification = measureVerification(scale.rounds, scale.verificationSeconds);
  const throughput = await throughputPhase(postgres, scale, progress);
  const writes = await writePhase(postgres, scale, progress);
  const processes = await processPhase(postgres, scale, progress);
  const { latency, plans } = await latencyPhase(postgres, scale, progress);
  progress('reading a large page');
  const detectors = measureDetectors(scale.detectorRounds);
  const scans = await scanPhase(postgres, scale, progress);
  const schedule = await schedulePhase(postgres, scale, progress);
  const events = await eventPhase(postgres, scale.events, progress);
  const junk = await junkPhase(postgres, scale.junk, progress);
  const machine = {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model.trim() ?? 'unknown CPU',
    cores: cpus().length,
    node: process.versions.node,
    postgres: postgres.version,
  };
  const results: Results = {
    machine,
    verification,
    throughput,
    writes,
    processes,
    latency,
    plans,
    detectors,
    scans,
    schedule,
    events,
    junk,
  };
  const aims = judgeAims(results);
  process.stdout.write(
    options.json ? `${JSON.stringify({ ...results, aims })}\n` : `${reportText(results, aims)}\n`,
  );
} finally {
  await postgres.close();
}
