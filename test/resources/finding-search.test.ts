import { beforeAll, describe, expect, it } from 'vitest';
import type { FindingFilters, ListFindings } from '../../src/contract/dashboard/finding-filters.ts';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { countFindings, listFindingRows } from '../../src/resources/findings/finding-list.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { storeFindings } from '../support/findings.ts';
import { asOwner } from '../support/postgres.ts';
import { rowsRead } from '../support/rows-read.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

interface Stored {
  readonly id: string;
  readonly severity: string;
  readonly status: string;
  readonly category: string;
  readonly title: string;
  readonly locator: string;
  readonly hipaa: boolean;
  readonly created_at: string;
  readonly last_seen_at: string;
}

/** All findings of the organization, without any of the tables that a search reads. */
function stored({ organizationId }: AuthorizedSource): Promise<Stored[]> {
  return asOwner(service.database.connection, async client => {
    const { rows } = await client.query(
      `select id, severity, status, category, title, locator, hipaa, created_at::text, last_seen_at::text
        from findings where organization_id = $1`,
      [organizationId],
    );
    return rows;
  });
}

const severities = ['info', 'low', 'medium', 'high', 'critical'];

/** The ids that a list must have, in its order. */
function expected(
  all: readonly Stored[],
  { order = 'worst', ...filters }: ListFindings & { readonly order?: 'worst' | 'newest' | 'last_seen' },
): string[] {
  const { search, category, severity, status } = filters;
  const isIn = (words: string | undefined, word: string) => !words || words.split(',').includes(word);
  const keys = (finding: Stored) =>
    ({
      worst: [severities.indexOf(finding.severity), finding.created_at, finding.id],
      newest: [finding.created_at, finding.id],
      last_seen: [finding.last_seen_at, finding.id],
    })[order].join(' ');
  return all
    .filter(
      finding =>
        isIn(severity, finding.severity) &&
        isIn(status, finding.status) &&
        (!category ||
          (category === 'hipaa' ? finding.hipaa : `${finding.category}.`.startsWith(`${category}.`))) &&
        (!search ||
          `${finding.title} ${finding.category} ${finding.locator.slice(0, 300)}`
            .toLowerCase()
            .includes(search.toLowerCase())),
    )
    .sort((one, other) => (keys(one) < keys(other) ? 1 : -1))
    .map(({ id }) => id);
}

/** The ids of the first pages, up to so many. */
const mostListed = 300;

async function listed(store: TenantStore, query: ListFindings): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await listFindingRows(store, cursor === null ? query : { ...query, cursor });
    ids.push(...page.findings.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null && ids.length < mostListed);
  return ids;
}

async function expectFound(source: AuthorizedSource, all: readonly Stored[], filters: FindingFilters) {
  for (const order of ['worst', 'newest', 'last_seen'] as const) {
    const query = { ...filters, order };
    expect(await listed(source.store, query), JSON.stringify(query)).toEqual(
      expected(all, query).slice(0, mostListed),
    );
  }
  const { total, by_status } = await countFindings(source.store, filters);
  const { status: _, ...others } = filters;
  expect(total, JSON.stringify(filters)).toBe(expected(all, filters).length);
  expect(
    Object.values(by_status).reduce((sum, count) => sum + count, 0),
    JSON.stringify(filters),
  ).toBe(expected(all, others).length);
}

const searches = [
  // In titles and categories.
  ...['certificate', 'EXPIRED', 'has expired', 'hsts', 'missing headers', 'missing headers.hsts', 'ö', ' '],
  // In a title that only some findings of the check have.
  ...['the certificate', 'soon'],
  // In locators.
  ...['shop.example/login', '/LOGIN', 'sid', 'shop.example', 'zz', 'ÖFFENTLICH', '%', '_', "'", 'é\n/next'],
  // From a category into a locator.
  ...['expired https://shop', 'hsts_missing cookie', 'missing cookie', 'd h', 'expired ', ' https'],
  // Nowhere.
  ...['no such finding', 'login hsts', 'sid\ncookie'],
];

const filters: FindingFilters[] = [
  {},
  { status: 'open' },
  { severity: 'critical,low' },
  { severity: 'high', status: 'resolved,open' },
  { category: 'tls' },
  { category: 'tls.expired', status: 'open' },
  { category: 'hipaa' },
];

describe('findings of several checks', () => {
  let source: AuthorizedSource;
  let all: Stored[];
  beforeAll(async () => {
    source = await authorizedSource(service);
    const checks = [
      { category: 'tls.expired', title: 'The certificate has expired', hipaa: true },
      { category: 'tls.expired', title: 'Certificate expired', hipaa: true },
      { category: 'tls.expires', title: 'Certificate expires soon' },
      { category: 'tlsx', title: 'Öffentliche Datei' },
      { category: 'headers.hsts_missing', title: 'HSTS is missing' },
    ];
    const locators = [
      'https://shop.example/login',
      'cookie "SID"',
      'https://shop.example/é\n/next',
      "öffentlich '%_",
    ];
    await storeFindings(
      source,
      Array.from({ length: 260 }, (_, index) => ({
        ...checks[index % checks.length]!,
        locator: index === 7 ? `${'x'.repeat(299)}zz` : `${locators[index % locators.length]!}${index % 9}`,
        severity: severities[((index * 7) % 11) % 5]!,
        resolved: index % 4 === 0,
        createdAt: new Date(Date.UTC(2026, 0, 1 + ((index * 13) % 50))).toISOString(),
        lastSeenAt: new Date(Date.UTC(2026, 2, 1 + ((index * 17) % 50))).toISOString(),
      })),
    );
    all = await stored(source);
  });

  it('are listed and counted by every filter', async () => {
    for (const one of filters) await expectFound(source, all, one);
  });

  it.each(searches)('are found by %j', async search => {
    for (const one of filters) await expectFound(source, all, { ...one, search });
  });

  it('are found by a title that a later scan gives them', async () => {
    const [id] = expected(all, { search: 'hsts' });
    await source.store.transaction(transaction =>
      transaction.query({
        text: `update findings set title = 'Unencrypted first visit' where id = $1`,
        values: [id],
      }),
    );
    expect(await listed(source.store, { search: 'unencrypted' })).toEqual([id]);
    const again = await stored(source);
    for (const search of ['unencrypted', 'hsts is', 'hsts']) await expectFound(source, again, { search });
  });
});

describe('findings of hundreds of sources', () => {
  const sources = 450;
  const findingsEach = 40;
  let source: AuthorizedSource;
  beforeAll(async () => {
    source = await authorizedSource(service);
    await source.store.transaction(async transaction => {
      await transaction.query({
        text: `insert into sources (system_id, name, kind, host, connection_mode)
          select $1, 'W' || n, 'website', 'w' || n || '.example', 'direct' from generate_series(1, $2::int) as n`,
        values: [source.systemId, sources],
      });
      await transaction.query({
        text: `insert into findings (system_id, source_id, category, fingerprint, locator, severity, title, remediation, seen, hipaa)
          select $1, s.id, case n % 40 when 0 then 'rare.low' else 'bulk.c' || n % 4 end, s.id || '/' || n,
            'https://' || s.host || '/path/' || n, case n % 40 when 0 then 'info' else 'high' end, 'A title', 'Fix it.', '', false
          from sources s, generate_series(1, $2::int) as n where s.host like 'w%'`,
        values: [source.systemId, findingsEach],
      });
    });
    await asOwner(service.database.connection, client =>
      client.query('analyze findings, source_locators, check_counts, check_count_deltas'),
    );
  });

  it('are found by a text that few or many of them have', async () => {
    const all = await stored(source);
    for (const search of ['w123.example', 'w1', '/path/40', 'w44.example/path/4'])
      for (const one of [{}, { category: 'rare' }, { status: 'open', severity: 'info' }])
        await expectFound(source, all, { ...one, search });
  }, 60_000);

  it('are not all read for a page or a count', async () => {
    const queries: ListFindings[] = [
      ...[
        { category: 'bulk', status: 'open' },
        { category: 'rare' },
        { status: 'resolved' },
        { severity: 'info' },
      ],
      ...[{ search: 'w123.example' }, { search: 'no such finding' }, { search: 'bulk.c3' }],
    ];
    const most = (sources * findingsEach) / 8;
    for (const query of queries) {
      const label = JSON.stringify(query);
      expect(await rowsRead(source.store, store => listFindingRows(store, query)), label).toBeLessThan(most);
      expect(await rowsRead(source.store, store => countFindings(store, query)), label).toBeLessThan(most);
    }
    expect(
      await rowsRead(source.store, store => listFindingRows(store, { order: 'last_seen', status: 'open' })),
    ).toBeLessThan(most);
  });
});
