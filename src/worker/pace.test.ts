import { expect, it } from 'vitest';
import { MachineLoad, Pace } from './pace.ts';

it('doubles while inspections leave the CPUs idle, up to its maximum', () => {
  const pace = new Pace({ least: 4, most: 40 });
  const limits = Array.from({ length: 5 }, () => {
    pace.adjust(0.3, pace.limit);
    return pace.limit;
  });
  expect(limits).toEqual([8, 16, 32, 40, 40]);
});

it('decreases while they wait for a CPU, down to its minimum', () => {
  const pace = new Pace({ least: 4, most: 40 });
  pace.adjust(0.3, 10);
  pace.adjust(0.75, 20);
  expect(pace.limit).toBe(20);
  pace.adjust(0.95, 20);
  expect(pace.limit).toBe(15);
  for (let turn = 0; turn < 9; turn++) pace.adjust(1.5, 15);
  expect(pace.limit).toBe(4);
});

it('does not keep a limit that few inspections needed', () => {
  const pace = new Pace({ least: 4, most: 40 });
  pace.adjust(0.1, 20);
  pace.adjust(0.1, 1);
  expect(pace.limit).toBe(4);
});

it('measures the share of CPU time that was used since the last call', () => {
  const times = [
    { idle: 1_000, total: 5_000 },
    { idle: 1_300, total: 6_000 },
    { idle: 2_300, total: 7_000 },
    { idle: 2_300, total: 7_000 },
  ];
  const load = new MachineLoad(() => times.shift()!);
  expect([load.measure(), load.measure(), load.measure()]).toEqual([0.7, 0, 0]);
  expect(new MachineLoad().measure()).toBeLessThanOrEqual(1);
});
