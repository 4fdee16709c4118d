import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PeopleTransaction } from '../../src/database/people-store.ts';
import { releaseAddress } from '../../src/resources/people/close-account.ts';
import { invite as storeInvitation } from '../../src/resources/people/invitations.ts';
import { addMember } from '../../src/resources/people/memberships.ts';
import { makeLink } from '../../src/resources/people/one-time-links.ts';
import { makePasswordLink, resetSecondFactors } from '../../src/resources/people/recover.ts';
import { DashboardClient, totpCode } from '../support/dashboard-client.ts';
import { auditLogsLock, raceBehindLock } from '../support/held-lock.ts';
import { addPerson, type TestPerson, testPassword } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { startService, type TestNode, type TestService } from '../support/service.ts';

let service: TestService;
let other: TestNode;
beforeAll(async () => {
  service = await startService();
  other = await service.addNode();
});
afterAll(() => service?.close());

interface Team {
  readonly path: string;
  readonly organizationId: string;
  readonly owner: TestPerson;
  readonly admin: TestPerson;
  readonly member: TestPerson;
}

async function createTeam(): Promise<Team> {
  const organizationId = await service.createOrganization();
  const [owner, admin, member] = await Promise.all([
    addPerson(service, organizationId, 'owner'),
    addPerson(service, organizationId, 'admin'),
    addPerson(service, organizationId, 'member'),
  ]);
  return { path: `/organizations/${organizationId}`, organizationId, owner, admin, member };
}

const invite = async ({ path }: Team, by: TestPerson, email: string, role = 'member') =>
  (await by.client.post(`${path}/invitations`, { email, role })).json;
const tokenOf = (url: string) => url.split('#token=')[1]!;
const newcomer = { name: 'New', password: 'meadow brick falcon 29' };

/** Creates an account for the invitation's address, in a new browser. */
async function createAccount(token: string): Promise<DashboardClient> {
  const client = new DashboardClient(service.url);
  expect((await client.post('/invitations/account', { token, ...newcomer })).status).toBe(200);
  return client;
}

async function enrol(client: DashboardClient): Promise<void> {
  const { secret } = (await client.post('/account/totp')).json;
  await client.post('/account/totp/confirm', { code: await totpCode(secret) });
}

const operator = { kind: 'operator', id: 'host' } as const;
const sql = (text: string, values: unknown[] = []) =>
  asOwner(service.database.connection, async connection => (await connection.query(text, values)).rows);
/** Runs an operator's action on the host. */
const operate = <T>(work: (transaction: PeopleTransaction) => Promise<T>) =>
  service.storage.people.transaction(work);

describe("the operator's help", () => {
  it('closes an account under an address that no one can have', async () => {
    const team = await createTeam();
    const { url } = await invite(team, team.admin, 'squatted@example.org');
    const squatter = await createAccount(tokenOf(url));
    const { id } = (await squatter.session()).person!;
    for (const email of [`closed-${id}@parapet.invalid`, 'a@INVALID', 'a@b.Invalid.']) {
      expect((await invite(team, team.admin, email)).fields?.[0]?.path, email).toBe('email');
    }
    // An account from before.
    const taken = `closed-${id}@parapet.invalid`;
    await sql("insert into people (email, name) values ($1, 'Of before')", [taken]);
    await operate(transaction => releaseAddress(transaction, id, operator));
    expect((await squatter.session()).state).toBe('signed_out');
    const [{ email }] = await sql('select email from people where id = $1', [id]);
    expect(email).toMatch(/^closed-[0-9a-f-]{73}@parapet\.invalid$/);
  });

  it('leaves no invitation with which the address can be claimed, except those that the operator has made since', async () => {
    const [team, elsewhere] = [await createTeam(), await createTeam()];
    const email = 'retaken@example.org';
    const links = [
      await invite(team, team.admin, email),
      await invite(elsewhere, elsewhere.admin, 'ReTaken@example.org'),
    ].map(({ url }) => tokenOf(url));
    const inviteByOperator = async (organizationId: string) => {
      const invitation = { organizationId, email, role: 'member', actor: operator } as const;
      return (await operate(transaction => storeInvitation(transaction, invitation))).token;
    };
    const older = await inviteByOperator(await service.createOrganization());
    const { id } = (await (await createAccount(older)).session()).person!;
    await inviteByOperator(team.organizationId);
    await operate(transaction => releaseAddress(transaction, id, operator));
    const create = (token: string) =>
      new DashboardClient(service.url).post('/invitations/account', { token, ...newcomer });
    for (const token of [...links, older]) {
      expect((await create(token)).json.error_code).toBe('link_invalid');
    }
    const log = await sql(
      `select from ${recordedEntries} where organization_id = $1 and action = 'person.invitation_revoked' and actor_kind = 'operator'`,
      [elsewhere.organizationId],
    );
    expect(log).toHaveLength(1);
    // Other invitations: from the organization to which the operator has invited the address, instead of the
    // operator's, and from elsewhere.
    for (const from of [team, elsewhere]) {
      const again = tokenOf((await invite(from, from.admin, email)).url);
      expect((await create(again)).json.error_code).toBe('address_reserved');
    }
    const newest = await inviteByOperator(await service.createOrganization());
    expect((await create(newest)).json.person.email).toBe(email);
  });

  it('leaves no older link, and nothing linked, when second factors are reset', async () => {
    const { owner } = await createTeam();
    const older = await makeLink(service.storage.people, owner.id);
    await sql(
      "insert into person_identities (issuer, subject, person_id) values ('https://idp', $1::uuid::text, $1::uuid)",
      [owner.id],
    );
    const { identities, link } = await operate(transaction =>
      resetSecondFactors(transaction, owner.id, operator),
    );
    expect(identities).toBe(1);
    expect(await sql('select from person_identities where person_id = $1', [owner.id])).toEqual([]);
    const preview = async (token: string) =>
      (await new DashboardClient(service.url).post('/password-reset/preview', { token })).status;
    expect([await preview(older.token), await preview(link.token)]).toEqual([400, 200]);
    const newest = await operate(transaction => makePasswordLink(transaction, owner.id, operator));
    expect([await preview(link.token), await preview(newest.token)]).toEqual([400, 200]);
  });

  it('creates links for a new password, which keep identities only if the address is verified', async () => {
    const { admin, owner } = await createTeam();
    await sql('update people set email_verified_at = now() where id = $1', [owner.id]);
    const rest = [];
    for (const { id } of [admin, owner]) {
      const link = await operate(transaction => makePasswordLink(transaction, id, operator));
      // Identities linked after the link was created are included.
      await sql(
        "insert into person_identities (issuer, subject, person_id) values ('https://idp', $1::uuid::text, $1::uuid)",
        [id],
      );
      const pages = new DashboardClient(service.url);
      const reset = await pages.post('/password-reset', { token: link.token, password: newcomer.password });
      expect(reset.json, 'the second factor stays').toMatchObject({ state: 'second_factor' });
      rest.push((await sql('select from person_identities where person_id = $1', [id])).length);
    }
    expect(rest).toEqual([0, 1]);
  });
});

describe('an invitation', () => {
  it('creates an account, and a member after they accept with the second factor of the role', async () => {
    const team = await createTeam();
    const { invitation, url } = await invite(team, team.admin, 'new@example.org', 'admin');
    expect(url).toMatch(new RegExp(`^${service.url}/dashboard/invitation#token=[\\w-]{43}$`));
    const token = tokenOf(url);
    const preview = await new DashboardClient(service.url).post('/invitations/preview', { token });
    expect(preview.json).toMatchObject({ email: 'new@example.org', role: 'admin', invited_by: 'A admin' });
    const create = (node: string) => {
      const client = new DashboardClient(node);
      return client
        .post('/invitations/account', { token, ...newcomer })
        .then(({ status }) => ({ client, status }));
    };
    const created = await Promise.all([create(service.url), create(other.url), create(service.url)]);
    expect(created.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    const { client } = created.find(({ status }) => status === 200)!;
    expect(await client.session()).toMatchObject({
      state: 'signed_in',
      organizations: [],
      person: { email_verified: false },
      // The address is not verified, so its invitations are not shown.
      invitations: [],
    });
    const account = (await client.session()).person!.id;
    const log = await team.owner.client.get(`${team.path}/audit?action=person.account_created`);
    const entry = { actor: { id: account }, detail: { email: 'new@example.org', invitation: invitation.id } };
    expect(log.json.entries).toMatchObject([{ ...entry, object: { id: account } }]);
    const early = await client.post('/invitations/accept', { token });
    expect(early.json.error_code).toBe('second_factor_enrolment_required');
    await enrol(client);
    const accept = (at: string) => client.at(at).post('/invitations/accept', { token });
    const answers = await Promise.all([accept(service.url), accept(other.url)]);
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 400]);
    expect((await client.session()).organizations).toMatchObject([
      { id: team.organizationId, role: 'admin' },
    ]);
    const { people, invitations } = (await team.owner.client.get(`${team.path}/people`)).json;
    expect(people).toHaveLength(4);
    expect(invitations.map((one: { id: string }) => one.id)).not.toContain(invitation.id);
  });

  it('is accepted only by the person with its address, after a complete sign-in', async () => {
    const team = await createTeam();
    const elsewhere = await createTeam();
    const { url } = await invite(team, team.owner, elsewhere.admin.email.toUpperCase(), 'owner');
    const token = tokenOf(url);
    const accept = async (client: DashboardClient) =>
      (await client.post('/invitations/accept', { token })).json.error_code ?? 'none';
    const half = new DashboardClient(service.url);
    await half.post('/sign-in', { email: elsewhere.admin.email, password: testPassword });
    const stranger = new DashboardClient(service.url);
    expect((await stranger.post('/invitations/account', { token, ...newcomer })).json.error_code).toBe(
      'sign_in_first',
    );
    expect((await stranger.post('/invitations/accept', { token })).status).toBe(401);
    expect(await accept(half)).toBe('second_factor_required');
    expect(await accept(elsewhere.owner.client), 'somebody else').toBe('sign_in_first');
    const joined = await elsewhere.admin.client.post('/invitations/accept', { token });
    const roles = joined.json.organizations.map(({ id, role }: { id: string; role: string }) => [id, role]);
    expect(Object.fromEntries(roles)).toEqual({
      [elsewhere.organizationId]: 'admin',
      [team.organizationId]: 'owner',
    });
  });

  it('is not accepted by its id if the address is not verified', async () => {
    const team = await createTeam();
    const elsewhere = await createTeam();
    const { invitation } = await invite(team, team.owner, elsewhere.admin.email, 'admin');
    const { client } = elsewhere.admin;
    expect((await client.session()).invitations).toEqual([]);
    const answer = await client.post('/invitations/accept', { id: invitation.id });
    expect(answer.json.error_code).toBe('link_invalid');
  });

  it('does not change the role of a person who is already a member', async () => {
    const team = await createTeam();
    const elsewhere = await createTeam();
    const { id, email, client } = elsewhere.member;
    const { url } = await invite(team, team.owner, email, 'member');
    await service.storage.people.transaction(transaction =>
      addMember(transaction, team.organizationId, id, 'admin'),
    );
    await enrol(client);
    const answer = await client.post('/invitations/accept', { token: tokenOf(url) });
    expect(answer.json.error_code).toBe('email_taken');
    const roles = (await client.session()).organizations.map(one => one.role).sort();
    expect(roles).toEqual(['admin', 'member']);
  });

  it('does not work after it was withdrawn, replaced, declined or expired, or its creator lost the permission', async () => {
    const team = await createTeam();
    const preview = async (url: string) =>
      (await new DashboardClient(service.url).post('/invitations/preview', { token: tokenOf(url) })).json
        .error_code;
    const withdrawn = await invite(team, team.admin, 'a@example.org');
    await team.owner.client.delete(`${team.path}/invitations/${withdrawn.invitation.id}`);
    expect(await preview(withdrawn.url)).toBe('link_invalid');
    const replaced = await invite(team, team.admin, 'b@example.org');
    await invite(team, team.admin, 'B@example.org');
    expect(await preview(replaced.url)).toBe('link_invalid');
    const { entries } = (
      await team.owner.client.get(`${team.path}/audit?object_id=${replaced.invitation.id}`)
    ).json;
    expect(entries).toMatchObject([
      {
        action: 'person.invitation_revoked',
        actor: { id: team.admin.id },
        detail: { email: 'b@example.org' },
      },
      { action: 'person.invited' },
    ]);
    const expired = await invite(team, team.admin, 'c@example.org');
    await asOwner(service.database.connection, client =>
      client.query("update invitations set expires_at = now() - interval '1 second' where id = $1", [
        expired.invitation.id,
      ]),
    );
    expect(await preview(expired.url)).toBe('link_invalid');
    const declined = await invite(team, team.admin, 'declines@example.org');
    const client = await createAccount(tokenOf(declined.url));
    await client.post('/invitations/decline', { token: tokenOf(declined.url) });
    expect(await preview(declined.url)).toBe('link_invalid');
    expect((await invite(team, team.admin, team.member.email)).error_code).toBe('email_taken');

    const byAdmin = await invite(team, team.admin, 'e@example.org', 'member');
    const promoted = await team.owner.client.request('PATCH', `${team.path}/people/${team.admin.id}`, {
      role: 'owner',
    });
    expect(promoted.status).toBe(200);
    const asOwnerOnce = await invite(team, team.admin, 'f@example.org', 'owner');
    expect(await preview(asOwnerOnce.url)).toBeUndefined();
    await team.owner.client.request('PATCH', `${team.path}/people/${team.admin.id}`, { role: 'admin' });
    expect(await preview(asOwnerOnce.url), 'by an admin').toBe('link_invalid');
    expect(await preview(byAdmin.url)).toBeUndefined();
    await team.owner.client.delete(`${team.path}/people/${team.admin.id}`);
    expect(await preview(byAdmin.url), 'by someone who is not a member').toBe('link_invalid');
  });

  it('does not work again after its creator returns or gets the role again', async () => {
    const team = await createTeam();
    const preview = async (url: string) =>
      (await new DashboardClient(service.url).post('/invitations/preview', { token: tokenOf(url) })).json
        .error_code;
    const made = await invite(team, team.admin, 'g@example.org', 'admin');
    const becomes = async (role: string) =>
      (await team.owner.client.request('PATCH', `${team.path}/people/${team.admin.id}`, { role })).status;
    expect([await becomes('member'), await becomes('admin')]).toEqual([200, 200]);
    expect(await preview(made.url)).toBe('link_invalid');
    const again = await invite(team, team.admin, 'g@example.org', 'admin');
    await team.owner.client.delete(`${team.path}/people/${team.admin.id}`);
    await asOwner(service.database.connection, client =>
      client.query('update memberships set left_at = null where person_id = $1', [team.admin.id]),
    );
    expect(await preview(again.url)).toBe('link_invalid');
    const { entries } = (await team.owner.client.get(`${team.path}/audit?action=person.invitation_revoked`))
      .json;
    expect(entries.map((entry: { object: { id: string } }) => entry.object.id)).toEqual([
      again.invitation.id,
      made.invitation.id,
    ]);
  });

  it('is the only one for its address, even if two are made simultaneously', async () => {
    const { path, owner, admin } = await createTeam();
    const body = { email: 'twice@example.com', role: 'member' };
    const both = await raceBehindLock(service.database.connection, auditLogsLock, [
      () => owner.client.post(`${path}/invitations`, body),
      () => admin.client.at(other.url).post(`${path}/invitations`, body),
    ]);
    expect(both.map(answer => answer.status)).toEqual([201, 201]);
    const { invitations } = (await owner.client.get(`${path}/people`)).json;
    expect(invitations.map(({ email }: { email: string }) => email)).toEqual([body.email]);
  });

  it.each(['token', 'id'] as const)(
    'is not accepted by its %s for an address that the account lost while the request waited',
    async by => {
      const team = await createTeam();
      const person = await addPerson(service, await service.createOrganization(), 'member');
      await asOwner(service.database.connection, client =>
        client.query('update people set email_verified_at = now() where id = $1', [person.id]),
      );
      const { invitation, url } = await invite(team, team.admin, person.email);
      const key = by === 'id' ? { id: invitation.id } : { token: tokenOf(url) };
      const lock = `select from people where id = '${person.id}' for update;
        update people set email = 'now-${by}@example.org' where id = '${person.id}'`;
      const [answer] = await raceBehindLock(service.database.connection, lock, [
        () => person.client.post('/invitations/accept', key),
      ]);
      expect(answer!.json.error_code).toBe(by === 'id' ? 'link_invalid' : 'sign_in_first');
      expect((await person.client.session()).organizations).toHaveLength(1);
    },
  );

  it('requires an address without lookalikes', async () => {
    const team = await createTeam();
    for (const email of ['\u0430da@example.org', 'ada@ex\u0430mple.org', 'a\u200bda@example.org']) {
      const answer = await invite(team, team.admin, email);
      expect(answer.fields?.[0]?.path, email).toBe('email');
    }
  });

  it('shows names of people and organizations without invisible or bidirectional control characters', async () => {
    const team = await createTeam();
    const { url } = await invite(team, team.owner, 'names@example.org');
    for (const name of [
      'A\u202edmin',
      '\u2066Ada\u2069',
      'A\u200eda',
      'A\u061cda',
      'A\u200bda',
      'Ada\ufeff',
      'A\u00adda',
      'A\u2028da',
      'A\nda',
      '\u3164',
      '\u{e0041}Ada',
    ]) {
      const made = await new DashboardClient(service.url).post('/invitations/account', {
        ...newcomer,
        token: tokenOf(url),
        name,
      });
      expect(made.json.fields?.[0]?.path, JSON.stringify(name)).toBe('name');
      const renamed = await team.owner.client.request('PATCH', '/account', { name });
      expect(renamed.json.fields?.[0]?.path, JSON.stringify(name)).toBe('name');
    }
    for (const name of ['Zoë O’Neill-Śmith', '山田 太郎', 'عائشة', 'นภา', 'अनीता', 'Ada 😀']) {
      const renamed = await team.owner.client.request('PATCH', '/account', { name });
      expect(renamed.json.person?.name, name).toBe(name);
    }
  });

  it('is stored as a hash, and in no log', async () => {
    const team = await createTeam();
    const token = tokenOf((await invite(team, team.admin, 'd@example.org')).url);
    const stored = await asOwner(service.database.connection, client =>
      client.query("select string_agg(i::text, ',') as text from invitations i"),
    );
    expect(stored.rows[0].text).not.toContain(Buffer.from(token).toString('hex'));
    expect(service.log.join()).not.toContain(token);
  });
});

describe('roles', () => {
  it('of owners are granted and revoked by owners only', async () => {
    const team = await createTeam();
    const { path, admin, owner, member } = team;
    expect((await invite(team, admin, 'e@example.org', 'owner')).error).toBe('Forbidden');
    const change = async (by: TestPerson, whom: TestPerson, role: string) =>
      (await by.client.request('PATCH', `${path}/people/${whom.id}`, { role })).status;
    expect(await change(admin, member, 'owner')).toBe(403);
    expect(await change(admin, owner, 'member')).toBe(403);
    expect((await admin.client.delete(`${path}/people/${owner.id}`)).status).toBe(403);
    expect(await change(admin, member, 'admin')).toBe(200);
    expect(await change(owner, admin, 'owner')).toBe(200);
  });

  it('leave at least one owner, even if two leave simultaneously', async () => {
    const { path, owner, admin } = await createTeam();
    expect((await owner.client.post(`${path}/leave`)).json.error_code).toBe('last_owner');
    const demotion = await owner.client.request('PATCH', `${path}/people/${owner.id}`, { role: 'member' });
    expect(demotion.json.error_code).toBe('last_owner');
    await owner.client.request('PATCH', `${path}/people/${admin.id}`, { role: 'owner' });
    // Both check whether they are the last owner before either has left, unless a lock prevents that.
    const both = await raceBehindLock(service.database.connection, auditLogsLock, [
      () => owner.client.post(`${path}/leave`),
      () => admin.client.at(other.url).post(`${path}/leave`),
    ]);
    expect(both.map(answer => answer.status).sort()).toEqual([200, 400]);
  });

  it('apply from the next request on, on every node', async () => {
    const { path, owner, admin } = await createTeam();
    const elsewhere = admin.client.at(other.url);
    expect((await elsewhere.get(`${path}/keys`)).status).toBe(200);
    await owner.client.request('PATCH', `${path}/people/${admin.id}`, { role: 'member' });
    expect((await elsewhere.get(`${path}/keys`)).status).toBe(403);
    await owner.client.delete(`${path}/people/${admin.id}`);
    expect((await elsewhere.get(`${path}/people`)).status).toBe(404);
    expect((await elsewhere.session()).organizations).toEqual([]);
  });

  it('that require a second factor require it immediately', async () => {
    const { path, owner, member } = await createTeam();
    await owner.client.request('PATCH', `${path}/people/${member.id}`, { role: 'admin' });
    expect((await member.client.session()).state).toBe('enrolment');
    expect((await member.client.get(`${path}/people`)).json.error_code).toBe(
      'second_factor_enrolment_required',
    );
  });
});
