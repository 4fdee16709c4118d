import { beforeAll, expect, it } from 'vitest';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';

// Lists without pages have a limit, since an unlimited response would block the process.

let service: SharedService;
let organizationId: string;
let owner: TestPerson;
beforeAll(async () => {
  service = await sharedService();
  organizationId = await service.createOrganization();
  owner = await addPerson(service, organizationId, 'owner');
});

const sql = (text: string, values: unknown[]) =>
  asOwner(service.database.connection, client => client.query(text, values));

/** Copies a table row this many times, with new ids and the given changes. */
async function copyRow(table: string, id: string, copies: number, changes: Record<string, string>) {
  const { rows } = await sql(
    'select column_name as name from information_schema.columns where table_name = $1 order by 1',
    [table],
  );
  const names = rows.map(row => row.name as string);
  const values = names.map(name => (name === 'id' ? 'gen_random_uuid()' : (changes[name] ?? name)));
  await sql(
    `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${table}, generate_series(1, $2::int) n
      where id = $1`,
    [id, copies],
  );
}

it('limits the active keys of an organization, and the list of all', async () => {
  const path = `/organizations/${organizationId}/keys`;
  const { json } = await owner.client.post(path, { name: 'First', kind: 'dashboard' });
  const unlike = { token_hash: 'decode(md5(n::text) || md5(n::text), $$hex$$)' };
  await copyRow('api_keys', json.token_id, 900, { ...unlike, revoked_at: 'now()' });
  await copyRow('api_keys', json.token_id, 498, { ...unlike, created_at: 'created_at - interval $$1 day$$' });
  const last = await owner.client.post(path, { name: 'Last', kind: 'dashboard' });
  expect(last.status, last.text).toBe(201);
  const refused = await owner.client.post(path, { name: 'One more', kind: 'dashboard' });
  expect(refused).toMatchObject({ status: 400, json: { error_code: 'too_many_keys' } });
  const pagesOf = async (query: string) => {
    const keys: { status: string; token_id: string }[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await owner.client.get(`${path}?${query}${cursor && `cursor=${cursor}`}`);
      expect(page.status, page.text).toBe(200);
      expect(page.json.keys.length, 'of a page').toBeLessThanOrEqual(50);
      keys.push(...page.json.keys);
      cursor = page.json.next_cursor;
    }
    expect(new Set(keys.map(key => key.token_id)).size).toBe(keys.length);
    return keys.map(key => key.status);
  };
  const all = await pagesOf('');
  expect(all).toHaveLength(1_400);
  expect(all.filter(status => status === 'active')).toHaveLength(500);
  expect(await pagesOf('status=active&')).toEqual(Array(500).fill('active'));
});

it('limits the open invitations of an organization', async () => {
  const path = `/organizations/${organizationId}/invitations`;
  const { json } = await owner.client.post(path, { email: 'first@example.org', role: 'member' });
  const unlike = { email: 'n || email', token_hash: 'decode(md5(n::text) || md5(n::text), $$hex$$)' };
  await copyRow('invitations', json.invitation.id, 198, unlike);
  const last = await owner.client.post(path, { email: 'last@example.org', role: 'member' });
  expect(last.status, last.text).toBe(201);
  const refused = await owner.client.post(path, { email: 'more@example.org', role: 'member' });
  expect(refused).toMatchObject({ status: 400, json: { error_code: 'too_many_invitations' } });
  const again = await owner.client.post(path, { email: 'last@example.org', role: 'member' });
  expect(again.status, 'instead of the previous one').toBe(201);
});

it('limits the people of an organization, who are listed without pages', async () => {
  const crowded = await service.createOrganization();
  const { client } = await addPerson(service, crowded, 'owner');
  const path = `/organizations/${crowded}/invitations`;
  await asOwner(service.database.connection, connection =>
    connection.query(
      `with others as (insert into people (email, name) select n || '@crowd.example', 'One of many'
          from generate_series(1, 997) as n returning id)
        insert into memberships (organization_id, person_id, role) select $1, id, 'member' from others`,
      [crowded],
    ),
  );
  expect((await client.post(path, { email: 'a@example.org', role: 'member' })).status).toBe(201);
  const last = await client.post(path, { email: 'b@example.org', role: 'member' });
  expect(last.status, last.text).toBe(201);
  const refused = await client.post(path, { email: 'c@example.org', role: 'member' });
  expect(refused).toMatchObject({ status: 400, json: { error_code: 'too_many_people' } });
  expect((await client.get(`/organizations/${crowded}/people`)).json.people).toHaveLength(998);
});

it('lists the current session and the most recently used ones', async () => {
  const before = (await owner.client.get('/account/security')).json.sessions;
  const unlike = {
    token_hash: 'decode(md5(n::text) || md5(n::text), $$hex$$)',
    last_seen_at: 'now() + interval $$1 second$$',
  };
  await copyRow('sessions', before[0].id, 200, unlike);
  const { sessions } = (await owner.client.get('/account/security')).json;
  expect(sessions).toHaveLength(100);
  expect(sessions[0]).toMatchObject({ current: true, id: before[0].id });
});

it('limits the views of a person', async () => {
  const path = `/organizations/${organizationId}/views`;
  const save = (name: string) => owner.client.post(path, { name, filters: {}, shared: false });
  const { json } = await save('First');
  await copyRow('finding_views', json.view.id, 98, { name: '$$View $$ || n' });
  expect((await save('Hundredth')).status).toBe(201);
  expect(await save('One more')).toMatchObject({ status: 400, json: { error_code: 'too_many_views' } });
  expect((await owner.client.get(path)).json.views).toHaveLength(100);
});
