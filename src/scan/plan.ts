import { detectorsFor } from '../detectors/catalogue.ts';
import type { SourceToScan } from './source.ts';

/** A detector that will run on a source, or why it will not. */
export interface Plan {
  readonly detector: string;
  readonly skipped?: string;
}

/** One run per detector of the source's surface. A source that a probe assesses is not connected to. */
export function planSource(source: SourceToScan): Plan[] {
  const names = detectorsFor(source.kind).map(detector => detector.name);
  if (source.connection_mode === 'probe') {
    return names.map(detector => ({ detector, skipped: 'a probe assesses this source' }));
  }
  return names.map(detector => ({ detector }));
}
