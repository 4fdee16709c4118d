import { expect, it } from 'vitest';
import { summaryOf } from './event-summary.ts';

const drift = (more: number) =>
  summaryOf({
    kind: 'probe.drift',
    probe: { name: 'office', version: '1.0.0' },
    changes: [{ area: 'role', name: 'reader', change: 'added' }],
    more,
  });

it('says how many changes a report of a probe does not list', () => {
  expect(drift(3)).toContainEqual(['Changes', '4 changes']);
  expect(drift(3)).toContainEqual(['Not listed', '3 changes beyond what an event can list']);
  expect(drift(0).map(([name]) => name)).toEqual(['Probe', 'Changes', 'Names']);
});

it('says which ports an inventory covers, also if nothing was seen', () => {
  const facts = summaryOf({
    kind: 'probe.inventory',
    probe: { name: 'office', version: '1.0.0' },
    seen: [],
  });
  expect(facts).toContainEqual(['Seen', 'None']);
  expect(facts).toContainEqual(['Ports', expect.stringMatching(/^5432–5434 .* Others are not seen\.$/)]);
});
