import { measureDetectors } from './measurements/detectors.ts';
import { detectorTable } from './report/detectors.ts';
import { fullScale } from './scale.ts';

// The benchmark of the detectors alone: it needs no database. `npx tsx bench/detectors.ts`

process.stdout.write(`${detectorTable(measureDetectors(fullScale.detectorRounds))}\n`);
