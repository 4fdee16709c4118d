import { expect, it } from 'vitest';
import { connectionsOfNode, connectionsOfProcesses, leastConnections, poolSizes } from './pool-sizes.ts';

/** With the guard, the store of events and, of a worker, the connection that listens. */
const all = (sizes: ReturnType<typeof poolSizes>, works: boolean) =>
  Object.values(sizes).reduce((total, size) => total + size, 2 + (works ? 1 : 0));

const counts = [leastConnections, 25, 31, 38, 39, 60, 97, 200, 1_000];

it.each(counts)('divides %d connections of a node with one process, and uses no more', connections => {
  const sizes = poolSizes({ processes: 1, connections }, true);
  expect(all(sizes, true)).toBe(connections);
  const least = poolSizes({ processes: 1, connections: leastConnections }, true);
  for (const [pool, size] of Object.entries(least)) {
    expect(sizes[pool as keyof typeof sizes], pool).toBeGreaterThanOrEqual(size);
  }
});

it('divides as many connections as a node has by default as it does by default', () => {
  expect(poolSizes({ processes: 1, connections: connectionsOfNode({ processes: 1 }) }, true)).toEqual(
    poolSizes({ processes: 1 }, true),
  );
});

it.each([2, 4, 16])('lets %d processes share the connections of their node', processes => {
  const needed = connectionsOfProcesses(processes, { worker: true });
  expect(connectionsOfNode({ processes })).toBe(needed);
  expect(poolSizes({ processes, connections: needed }, false)).toEqual(poolSizes({ processes }, false));
  for (const connections of [needed, needed + 1, needed + 40, needed + 400]) {
    const ofOne = all(poolSizes({ processes, connections }, false), false);
    const others = needed - connectionsOfProcesses(processes, { worker: false }) + 2;
    // Their queues are used by none of them, and one process is being replaced.
    expect((processes + 1) * (ofOne - 1) + others).toBeLessThanOrEqual(connections);
  }
});
