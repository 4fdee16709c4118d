import type { EvidenceKind } from '../../../src/contract/dashboard/evidence.ts';

export const kindLabels: Readonly<Record<EvidenceKind, string>> = {
  controls: 'Controls snapshot',
  scan: 'Scan snapshot',
  file: 'Uploaded file',
};
