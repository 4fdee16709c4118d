import { availableParallelism, totalmem } from 'node:os';
import { connectionsOfProcesses } from '../../resources/pool-sizes.ts';

const mebibyte = 1024 * 1024;

/** Measured under load (docs/decisions/0015-processes.md): of one API process, and of everything else on the machine but scans. */
const ofProcess = 320 * mebibyte;
const ofOthers = 640 * mebibyte;

/**
 * As many processes as cores, if the memory suffices.
 *
 * @param ofScans bytes of memory that the scans of this node may use
 */
export function usualProcesses(
  ofScans: number,
  { cores = availableParallelism(), memory = availableMemory() } = {},
): number {
  return Math.max(1, Math.min(cores, Math.floor((memory - ofOthers - ofScans) / ofProcess)));
}

/** Of the machine, or of its control group. */
function availableMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** The most processes up to `wanted` whose database connections are permitted; 0 for none. */
export function fittingProcesses(
  wanted: number,
  permitted: number,
  { worker, leases }: { readonly worker: boolean; readonly leases: (processes: number) => number },
): number {
  for (let processes = wanted; processes > 0; processes -= 1) {
    if (connectionsOfProcesses(processes, { worker }) + leases(processes) <= permitted) return processes;
  }
  return 0;
}
