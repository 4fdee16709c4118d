import type { EvidenceKind } from '../../../src/contract/dashboard/evidence.ts';

export const kindLabels: Readonly<Record<EvidenceKind, string>> = {
  controls: 'Snapshot of controls',
  scan: 'Snapshot of a scan',
  file: 'Uploaded file',
};

const units = ['bytes', 'KiB', 'MiB', 'GiB'] as const;

/** `3.4 MiB` */
export function inBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const number = bytes / 1024 ** power;
  return `${number.toLocaleString(undefined, { maximumFractionDigits: power === 0 ? 0 : 1 })} ${units[power]}`;
}
