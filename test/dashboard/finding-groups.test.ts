import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createSource } from '../../src/resources/sources/sources.ts';
import { createSystem } from '../../src/resources/systems/systems.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { storeFindings } from '../support/findings.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

let source: AuthorizedSource;
let admin: TestPerson;
let other: { systemId: string; sourceId: string };
let path: string;
beforeEach(async () => {
  source = await authorizedSource(service);
  admin = await addPerson(service, source.organizationId, 'admin');
  path = `/organizations/${source.organizationId}/findings`;
  other = await source.person.transaction(async transaction => {
    const system = await createSystem(transaction, { name: 'T', environment: 'test', kind: 'site' });
    const of = { system_id: system.id, name: 'V', kind: 'website', host: 'other.example' } as const;
    return { systemId: system.id, sourceId: (await createSource(transaction, of)).id };
  });
  const old = new Date(Date.now() - 100 * 86_400_000).toISOString();
  await storeFindings(source, [
    { category: 'a.one', severity: 'high', title: 'One', createdAt: old },
    { category: 'a.one', severity: 'low', title: 'One' },
    { category: 'a.one', severity: 'critical', title: 'One', resolved: true },
    { category: 'a.two', severity: 'critical', title: 'Two' },
  ]);
  await storeFindings({ ...source, ...other }, [
    { category: 'a.one', severity: 'medium', title: 'One', createdAt: old },
  ]);
});

const groups = async (query: string) => (await admin.client.get(`${path}/groups?${query}`)).json;

it('has one group of each check, highest severity first, with places, systems and overdue findings', async () => {
  expect(await groups('by=check&status=open')).toEqual({
    groups: [
      { key: 'a.two', title: 'Two', severity: 'critical', findings: 1, systems: 1, checks: 1, overdue: 0 },
      { key: 'a.one', title: 'One', severity: 'high', findings: 3, systems: 2, checks: 1, overdue: 2 },
    ],
    has_more: false,
  });
});

it('has one group of each system, with all filters of the list', async () => {
  expect((await groups('by=system&status=open&category=a')).groups).toMatchObject([
    { key: source.systemId, title: 'S', severity: 'critical', findings: 3, checks: 2, overdue: 1 },
    { key: other.systemId, title: 'T', severity: 'medium', findings: 1, checks: 1, overdue: 1 },
  ]);
  expect((await groups('by=system&due=overdue')).groups).toHaveLength(2);
  expect((await groups('by=check&owner=me')).groups).toEqual([]);
  expect((await groups('by=check&search=tw')).groups).toMatchObject([{ key: 'a.two' }]);
});

it('lists the ids of a group, to select it, up to what one request can change', async () => {
  const { json } = await admin.client.get(`${path}/ids?status=open&category=a.one`);
  expect(json.ids).toHaveLength(3);
  expect(json.has_more).toBe(false);
  await storeFindings(
    source,
    Array.from({ length: 500 }, () => ({ category: 'a.one' })),
  );
  const more = (await admin.client.get(`${path}/ids?status=open&category=a.one`)).json;
  expect(more.ids).toHaveLength(500);
  expect(more.has_more).toBe(true);
});

it('counts overdue findings on the overview, all and those of the person', async () => {
  const { groups: checks } = await groups('by=check');
  expect(checks).toHaveLength(2);
  const overview = `/organizations/${source.organizationId}/overview`;
  expect((await admin.client.get(overview)).json).toMatchObject({ overdue: 2, mine_overdue: 0 });
  const { ids } = (await admin.client.get(`${path}/ids?due=overdue`)).json;
  await admin.client.post(`${path}/assign`, { ids: [ids[0]], owner_id: admin.id });
  expect((await admin.client.get(overview)).json).toMatchObject({ overdue: 2, mine_overdue: 1 });
});
