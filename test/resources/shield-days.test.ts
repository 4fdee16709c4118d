import { beforeAll, expect, it } from 'vitest';
import { addCounts } from '../../src/resources/shield/counts.ts';
import { authorizedSource } from '../support/authorized-source.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

it('sums the hours of a website by UTC day, whatever is added to them', async () => {
  const source = await authorizedSource(service);
  const times = [
    '2026-03-01T23:59:00.000Z',
    '2026-03-02T00:00:00.000Z',
    '2026-03-02T00:01:00.000Z',
    '2026-03-01T10:00:00.000Z',
  ];
  for (const [index, at] of times.entries()) {
    const attacks = new Map([
      ['sqli', { blocked: index, detected: 2 }],
      ['xss', { blocked: 1, detected: 0 }],
    ] as const);
    await source.store.transaction(transaction =>
      addCounts(transaction, source.sourceId, at, { attacks, tops: [], blocks: [] }),
    );
  }
  const rows = await asOwner(service.database.connection, async client => {
    const found = await client.query(
      'select day::text, blocked::int, detected::int from shield_days where organization_id = $1 order by day',
      [source.organizationId],
    );
    return found.rows;
  });
  expect(rows).toEqual([
    { day: '2026-03-01', blocked: 5, detected: 4 },
    { day: '2026-03-02', blocked: 5, detected: 4 },
  ]);
});
