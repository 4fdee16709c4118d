import { readFileSync } from 'node:fs';
import { openStorage } from './bench/fixture/scans.ts';
import { factsByCheck, sourceScope } from './src/resources/controls/facts.ts';
import { newestAttestations, listAttestations } from './src/resources/controls/attestations.ts';
import { currentNotes } from './src/resources/controls/notes.ts';
import { readMatrix } from './src/dashboard/controls/matrix.ts';
import { allDetectors } from './src/detectors/catalogue.ts';
import { mapChecks, storedIdsOf, showingIdsOf } from './src/domain/control-checks.ts';
import { findingsOfChecks } from './src/resources/controls/findings.ts';
import { gapsOf, passesOf, resultsBySource } from './src/resources/controls/results-of-checks.ts';
const seed = JSON.parse(readFileSync('/tmp/zz-seed.json', 'utf8'));
const storage = await openStorage(seed);
const store = storage.tenant(seed.organizationId, { kind: 'service', id: 'x' });
const detectors = allDetectors as any;
const checks = mapChecks(typeof detectors === 'function' ? detectors() : detectors).get('164.312(a)(1)')!;
const ids = storedIdsOf(checks), showing = showingIdsOf(checks);
console.log(ids.length, showing.length);
let given: string[] = [];
const works: Record<string, (s: any) => Promise<any>> = {
  factsByCheck: s => factsByCheck(s), sourceScope: s => sourceScope(s), newestAttestations: s => newestAttestations(s), currentNotes: s => currentNotes(s),
  list: s => listAttestations(s, '164.312(a)(1)', 100),
  matrix: s => readMatrix(s, typeof detectors === 'function' ? detectors() : detectors),
  findings: async s => { const r = await findingsOfChecks(s, ids, 100); given = [...new Set(r.map(x => x.source_id))]; return r; },
  gaps: s => gapsOf(s, ids, 100), passes: s => passesOf(s, showing, 100), bySource: s => resultsBySource(s, ids, ['website', 'postgres'], given, 100),
};
for (const [name, work] of Object.entries(works)) {
  const times: number[] = []; let cpu = 0;
  for (let i = 0; i < 15; i++) await store.read(async s => { const t = performance.now(); const c = process.cpuUsage(); await work(s); times.push(performance.now() - t); const d = process.cpuUsage(c); cpu += d.user + d.system; });
  times.sort((a, b) => a - b);
  console.log(name, 'median', times[7]!.toFixed(1), 'max', times[14]!.toFixed(1), 'own cpu', (cpu / 15000).toFixed(1));
}
await storage.close(0); process.exit();
