import { expect, it } from 'vitest';
import { connectionsOfNode } from '../../resources/pool-sizes.ts';
import { leasesOfNode } from '../open-storage.ts';
import { fittingProcesses, usualProcesses } from './how-many.ts';

const gibibyte = 1024 ** 3;

it.each([
  [4, 16 * gibibyte, 4],
  [4, 2 * gibibyte, 4],
  [4, 1.5 * gibibyte, 2],
  [16, 4 * gibibyte, 10],
  [1, 64 * gibibyte, 1],
  [8, gibibyte / 2, 1],
])('uses %d cores with %d bytes for %d processes', (cores, memory, processes) => {
  expect(usualProcesses(cores, memory)).toBe(processes);
});

const ofDefaults = 97;

it('fits into the connections that PostgreSQL permits by default, with up to four processes', () => {
  const fitting = (permitted: number) => fittingProcesses(8, permitted, { worker: true, leases: () => 0 });
  expect(fitting(ofDefaults)).toBe(4);
  expect(fitting(connectionsOfNode(8, { worker: true }))).toBe(8);
  expect(fitting(20)).toBe(0);
  expect(fittingProcesses(8, ofDefaults, { worker: true, leases: leasesOfNode })).toBe(3);
});
