import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Finding } from '../../src/contract/findings.ts';
import type { TenantStore } from '../../src/database/tenant-store.ts';
import { FindingTexts } from '../../src/resources/findings/finding-texts.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let fixture: Fixture;
let store: TenantStore;
beforeAll(async () => {
  service = await startService();
  fixture = await createFixture(service);
  store = service.storage.tenant(fixture.organizationId, { kind: 'service', id: 'test' });
});
afterAll(() => service?.close());

const change = (assignment: string) =>
  store.transaction(session => session.query({ text: `update findings set ${assignment}` }));

/** The store, which changes the finding after its first read. */
function changingStore(assignment: string): TenantStore {
  let isChanged = false;
  return {
    organizationId: store.organizationId,
    queryShared: async query => {
      const rows = await store.queryShared(query);
      if (!isChanged) await change(assignment);
      isChanged = true;
      return rows;
    },
  } as TenantStore;
}

const listed = ({ body }: { readonly body: Buffer }) =>
  (JSON.parse(body.toString()) as { findings: Finding[] }).findings;

it('lists each finding as it is, and reads only those that changed', async () => {
  const texts = new FindingTexts();
  let statements = 0;
  const counting = {
    organizationId: store.organizationId,
    queryShared: query => {
      statements += 1;
      return store.queryShared(query);
    },
  } as TenantStore;
  const first = await texts.list(counting, {});
  expect([listed(first).map(({ id }) => id), statements]).toEqual([[fixture.findingId], 2]);
  const again = await texts.list(counting, {});
  expect([again, statements]).toEqual([first, 3]);
  await change("title = 'Other'");
  const changed = await texts.list(counting, {});
  expect([listed(changed)[0]!.title, statements]).toEqual(['Other', 5]);
  expect(changed.content, 'has another ETag').not.toBe(first.content);
});

it('does not list a finding that no longer matches when its text is read', async () => {
  await change('observed = true, triage = null');
  const open = await new FindingTexts().list(store, { status: 'open' });
  expect(listed(open)).toHaveLength(1);
  const resolved = await new FindingTexts().list(changingStore('observed = false'), { status: 'open' });
  expect(listed(resolved)).toEqual([]);
});
