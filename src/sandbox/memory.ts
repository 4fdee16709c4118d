import { ownBytesAtStart } from './limits.ts';
import type { SandboxProcess } from './process.ts';
import type { SandboxOptions } from './sandbox-options.ts';

type Measured = Pick<SandboxProcess, 'alive' | 'ownBytes'>;

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

/** Memory of the processes that are alive, in bytes, as last measured. */
export function usedBytes(processes: readonly Measured[]): number {
  return sumOf(processes.filter(({ alive }) => alive).map(({ ownBytes }) => ownBytes));
}

/** Whether so many can start beside these. A new one uses little at first, and counts with what it will use. */
export function hasRoomBeside(
  others: readonly Measured[],
  count: number,
  { processes, memoryBytes = Number.POSITIVE_INFINITY }: Pick<SandboxOptions, 'processes' | 'memoryBytes'>,
): boolean {
  const reserved = sumOf(
    others.filter(({ alive }) => alive).map(({ ownBytes }) => Math.max(ownBytes, ownBytesAtStart)),
  );
  const fits = others.length === 0 || reserved + count * ownBytesAtStart <= memoryBytes;
  return others.length + count <= processes && fits;
}

/**
 * The process that ends where all of them use too much memory: of the organization that uses most, the largest that runs tasks together.
 * Of those that run one alone, which may be a second time, the one that started last: another must come to its end.
 *
 * @param running the organization of each process, in the order of their starts
 * @param shared processes that run tasks together
 */
export function victimOf<Process extends Measured>(
  running: ReadonlyMap<Process, string>,
  shared: ReadonlyMap<Process, unknown>,
): Process | undefined {
  const alive = [...running].filter(([process]) => process.alive);
  const processesOf = (organizationId: string) =>
    alive.filter(([, other]) => other === organizationId).map(([process]) => process);
  const [most] = [...new Set(alive.map(([, organizationId]) => organizationId))]
    .map(processesOf)
    .sort((one, other) => usedBytes(other) - usedBytes(one));
  const together = most?.filter(process => shared.has(process)) ?? [];
  const [largest] = together.sort((one, other) => other.ownBytes - one.ownBytes);
  return largest ?? most?.at(-1);
}
