import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Finding } from '../../src/contract/findings.ts';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { FindingPages } from '../../src/resources/findings/finding-pages.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { storeFindings } from '../support/findings.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let fixture: Fixture;
let store: TenantStore;
beforeAll(async () => {
  service = await startService();
  fixture = await createFixture(service);
  store = service.storage.tenant(fixture.organizationId, { kind: 'service', id: 'test' });
  const { systemId, sourceId } = fixture;
  await storeFindings(
    { store, systemId, sourceId },
    ['First', 'Second', 'Third'].map((title, index) => ({
      title,
      category: 'tls.weak_key',
      createdAt: `2026-01-0${index + 1}T00:00:00.000Z`,
    })),
  );
});
afterAll(() => service?.close());

const change = (assignment: string, condition: string) =>
  store.transaction(session =>
    session.query({ text: `update findings set ${assignment} where ${condition}` }),
  );

/** The store, and how many findings each statement read with their details. */
function watchedStore() {
  const read: number[] = [];
  const watched = {
    organizationId: store.organizationId,
    queryShared: async query => {
      const rows = await store.queryShared(query);
      read.push(rows.filter(row => (row as Finding).title !== null).length);
      return rows;
    },
  } as TenantStore;
  return { watched, read };
}

const listed = ({ body }: { readonly body: Buffer }) =>
  (JSON.parse(body.toString()) as { findings: Finding[] }).findings;

it('lists each finding as it is, and reads only those that changed, in one statement', async () => {
  const pages = new FindingPages();
  const { watched, read } = watchedStore();
  const query = { category: 'tls.weak_key' };
  const first = await pages.list(watched, query);
  expect(listed(first).map(({ title }) => title)).toEqual(['Third', 'Second', 'First']);
  expect(await pages.list(watched, query)).toEqual(first);
  await change("title = 'Other'", "title = 'Second'");
  const changed = await pages.list(watched, query);
  expect(listed(changed).map(({ title }) => title)).toEqual(['Third', 'Other', 'First']);
  expect(changed.content, 'has another ETag').not.toBe(first.content);
  expect(await pages.list(watched, query)).toEqual(changed);
  expect(read).toEqual([3, 0, 1, 0]);
});

it('reads the details of a finding that moves onto a page after it was changed together with others', async () => {
  await change("title = category || ' ' || id", 'true');
  const pages = new FindingPages();
  const { watched, read } = watchedStore();
  const query = { limit: '2', status: 'open' } as const;
  const before = listed(await pages.list(watched, query));
  await change('observed = false', `id = '${before[0]!.id}'`);
  const after = listed(await pages.list(watched, query));
  expect(after.map(({ id }) => id)).toEqual([before[1]!.id, expect.any(String)]);
  expect(after[1]!.title).toBe(`${after[1]!.category} ${after[1]!.id}`);
  expect(read, 'one more than the page each time').toEqual([3, 0, 3]);
});
