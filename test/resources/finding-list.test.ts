import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListFindings } from '../../src/contract/dashboard/finding-filters.ts';
import { queryConfig } from '../../src/database/connection.ts';
import type { TenantSession, TenantStore } from '../../src/database/tenant-store.ts';
import { countFindings, listFindingRows } from '../../src/resources/findings/finding-list.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { asOwner } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

// Lists stay fast for any number of findings, which a test can verify by the number of rows read.

const total = 20_000;
let service: TestService;
let source: AuthorizedSource;
beforeAll(async () => {
  service = await startService();
  source = await authorizedSource(service);
  await source.store.transaction(transaction =>
    transaction.query({
      text: `insert into findings (system_id, source_id, category, fingerprint, locator, severity, title, remediation,
          seen, hipaa, observed, created_at)
        select $1, $2, (array['tls.expired', 'headers.hsts', 'cookies.secure'])[1 + i % 3], i::text,
          'https://shop.example/' || i, (array['critical', 'high', 'medium', 'low', 'info'])[1 + i % 5],
          'Flaw', repeat('Fix it. ', 30), repeat('It was seen. ', 10), i % 2 = 0, i % 4 <> 0, now() - make_interval(mins => i)
        from generate_series(1, $3::int) as i`,
      values: [source.systemId, source.sourceId, total],
    }),
  );
  await asOwner(service.database.connection, client => client.query('vacuum (analyze) findings'));
});
afterAll(() => service?.close());

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Heap Fetches'?: number;
  readonly Plans?: readonly Plan[];
}

/** The scan nodes on the table of findings in the plans of the statements of `work`. */
async function scansOf(work: (store: TenantStore) => Promise<unknown>): Promise<Plan[]> {
  const plans: Plan[] = [];
  const session: TenantSession = {
    query: async query => {
      const { text, values = [] } = queryConfig(query);
      const [row] = await source.store.queryOnce<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
        text: `explain (analyze, format json) ${text}`,
        values,
      });
      plans.push(row!['QUERY PLAN'][0].Plan);
      return source.store.queryOnce(query);
    },
  };
  const explaining = {
    queryOnce: session.query,
    read: (read: (session: TenantSession) => unknown) => read(session),
  };
  await work(explaining as unknown as TenantStore);
  const nodes = (node: Plan): Plan[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  return plans.flatMap(nodes).filter(node => node['Relation Name'] === 'findings');
}

/** Besides those of the titles of the checks to fix first: one row of each, by an index. */
async function countingScansOf(work: (store: TenantStore) => Promise<unknown>): Promise<Plan[]> {
  const ofTitles = (node: Plan) =>
    node['Index Name'] === 'findings_of_check_worst' &&
    node['Actual Rows'] === 1 &&
    node['Actual Loops'] <= 10;
  return (await scansOf(work)).filter(node => !ofTitles(node));
}

const rowsOf = (node: Plan) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];

describe('a page', () => {
  it.each<[string, ListFindings]>([
    ['of all', {}],
    ['of open findings', { status: 'open' }],
    ['of severe open findings', { status: 'open', severity: 'critical,high' }],
    ['of the newest', { order: 'newest' }],
    ['of the newest open findings', { order: 'newest', status: 'open' }],
  ])('%s reads as many rows as it shows, and a few more', async (_, query) => {
    const scans = await scansOf(store => listFindingRows(store, query));
    expect(scans.reduce((sum, node) => sum + rowsOf(node), 0)).toBeLessThan(300);
  });

  it.each<[string, ListFindings]>([
    ['search', { search: 'example/777' }],
    ['order by last observation', { order: 'last_seen' }],
    ['filter for reopened findings', { reopened: 'yes' }],
  ])('with a %s reads the index with all its columns once', async (_, query) => {
    const scans = await scansOf(store => listFindingRows(store, query));
    const over = scans.filter(node => rowsOf(node) > 300);
    expect(over.length).toBeLessThanOrEqual(1);
    for (const node of over)
      expect(node).toMatchObject({ 'Node Type': 'Index Only Scan', 'Heap Fetches': 0 });
  });
});

it.each<[string, ListFindings]>([
  ['all', {}],
  ['those of a HIPAA safeguard', { category: 'hipaa' }],
])('counts %s from kept counts', async (_, query) => {
  expect(await countingScansOf(store => countFindings(store, query))).toEqual([]);
});

it('counts a search without reading a row', async () => {
  const scans = await countingScansOf(store => countFindings(store, { search: 'example/777' }));
  expect(scans).toHaveLength(1);
  expect(scans[0]).toMatchObject({
    'Node Type': 'Index Only Scan',
    'Index Name': 'findings_worst',
    'Heap Fetches': 0,
  });
});

it('pages through all of them, each once, in every order', async () => {
  for (const order of ['worst', 'newest', 'last_seen'] as const) {
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await listFindingRows(source.store, {
        order,
        search: '/19',
        ...(cursor ? { cursor } : {}),
      });
      for (const { id } of page.findings) seen.add(id);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    // 19, 190 to 199, 1900 to 1999, 19000 to 19999.
    expect(seen.size).toBe(1111);
  }
});
