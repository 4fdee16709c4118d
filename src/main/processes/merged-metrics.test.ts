import { expect, it } from 'vitest';
import { Metrics } from '../../http/metrics.ts';
import type { Child } from './child.ts';
import { MergedMetrics } from './merged-metrics.ts';

/** A process with these values instead of its own. */
async function childWith(values: Readonly<Record<string, number>>): Promise<Child> {
  const metrics = (await new Metrics().snapshot()).map(metric => ({
    ...metric,
    values: metric.values.map(each => ({ ...each, value: values[metric.name] ?? each.value })),
  }));
  return { metrics, refresh: async () => {} } as unknown as Child;
}

it('reports the longest lag of the event loop, the first start, and the limit of one process', async () => {
  const children = await Promise.all([
    childWith({ nodejs_eventloop_lag_p99_seconds: 5, process_start_time_seconds: 200, process_max_fds: 10 }),
    childWith({ nodejs_eventloop_lag_p99_seconds: 1, process_start_time_seconds: 100, process_max_fds: 20 }),
  ]);
  const lines = (await new MergedMetrics(new Metrics(), () => children).text()).split('\n');
  expect(lines).toContain('nodejs_eventloop_lag_p99_seconds 5');
  expect(lines).toContain('process_start_time_seconds 100');
  expect(lines).toContain('process_max_fds 10');
});
