import { measureDetectors } from './measurements/detectors.ts';
import { detectorTable } from './report/detectors.ts';
import { fullScale } from './scale.ts';

// Only the benchmark of the detectors, which needs no database. `npx tsx bench/detectors.ts`

process.stdout.write(`${detectorTable(measureDetectors(fullScale.detectorRounds))}\n`);
