import { expect, it } from 'vitest';
import { connectionsOfProcesses } from '../../resources/pool-sizes.ts';
import { leasesOfNode } from '../open-storage.ts';
import { fittingProcesses, usualProcesses } from './how-many.ts';

const gibibyte = 1024 ** 3;

it.each([
  [4, 16, 4, 4],
  [4, 4, 1, 4],
  [4, 2, 0, 4],
  [4, 2, 0.5, 2],
  [16, 4, 1, 7],
  [1, 64, 16, 1],
  [8, 0.5, 0.5, 1],
])(
  'uses %d cores with %d GiB of memory, %d for scans, for %d processes',
  (cores, memory, scans, processes) => {
    expect(usualProcesses(scans * gibibyte, { cores, memory: memory * gibibyte })).toBe(processes);
  },
);

const ofDefaults = 97;

it('fits into the connections that PostgreSQL permits by default, with up to four processes', () => {
  const fitting = (permitted: number) => fittingProcesses(8, permitted, { worker: true, leases: () => 0 });
  expect(fitting(ofDefaults)).toBe(4);
  expect(fitting(connectionsOfProcesses(8, { worker: true }))).toBe(8);
  expect(fitting(20)).toBe(0);
  expect(fittingProcesses(8, ofDefaults, { worker: true, leases: leasesOfNode })).toBe(3);
});
