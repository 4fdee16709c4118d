import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyFindingChanges } from '../../src/resources/findings/finding-changes.ts';
import { decide } from '../../src/resources/findings/triage.ts';
import { addMember, removeMember } from '../../src/resources/people/memberships.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { type FindingInput, storeFindings } from '../support/findings.ts';
import { addPerson, type TestPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { recordedEntries } from '../support/recorded-entries.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

let source: AuthorizedSource;
let member: TestPerson;
let admin: TestPerson;
let path: string;
beforeEach(async () => {
  source = await authorizedSource(service);
  member = await addPerson(service, source.organizationId, 'member');
  admin = await addPerson(service, source.organizationId, 'admin');
  path = `/organizations/${source.organizationId}`;
});

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
const dayIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

const detailOf = async (id: string, { client } = admin) =>
  (await client.get(`${path}/findings/${id}`)).json.finding;

async function listed(query: string, { client } = admin): Promise<string[]> {
  const { status, json } = await client.get(`${path}/findings?${query}`);
  expect(status, JSON.stringify(json)).toBe(200);
  return json.findings.map(({ id }: { id: string }) => id);
}

async function auditOf(id: string): Promise<{ action: string; detail: object }[]> {
  return asOwner(service.database.connection, async owner => {
    const text = `select action, detail from ${recordedEntries} where object_id = $1 order by sequence`;
    return (await owner.query(text, [id])).rows;
  });
}

const remove = (person: TestPerson) =>
  service.storage.people.transaction(transaction =>
    removeMember(transaction, {
      organizationId: source.organizationId,
      personId: person.id,
      actor: { kind: 'operator', id: 'test' },
      by: 'owner',
    }),
  );

describe('the owner', () => {
  it('is a member, shown in lists, filters, history and the audit log', async () => {
    const [one, two] = await storeFindings(source, [{}, { severity: 'low' }]);
    const { status, json } = await admin.client.post(`${path}/findings/assign`, {
      ids: [one],
      owner_id: member.id,
    });
    expect(status).toBe(200);
    expect(json.findings).toMatchObject([{ id: one, owner: { id: member.id, name: 'A member' } }]);
    expect(await listed(`owner=${member.id}`)).toEqual([one]);
    expect(await listed('owner=me', member)).toEqual([one]);
    expect(await listed('owner=me')).toEqual([]);
    expect(await listed('owner=none')).toEqual([two]);
    expect((await admin.client.get(`${path}/findings/counts?owner=none`)).json.total).toBe(1);
    expect((await detailOf(one!)).edits).toMatchObject([
      { edit: 'owner', owner: { id: member.id }, by: 'A admin' },
    ]);
    await admin.client.post(`${path}/findings/assign`, { ids: [one], owner_id: member.id });
    await admin.client.post(`${path}/findings/assign`, { ids: [one], owner_id: null });
    expect((await detailOf(one!)).owner).toBeNull();
    // The second assignment changed nothing.
    expect((await auditOf(one!)).map(({ action }) => action)).toEqual([
      'finding.assigned',
      'finding.unassigned',
    ]);
  });

  it('is always a member, and no finding of others gets one', async () => {
    const [id] = await storeFindings(source, [{}]);
    const other = await authorizedSource(service);
    const [foreign] = await storeFindings(other, [{}]);
    const stranger = await addPerson(service, other.organizationId, 'member');
    const assign = (ids: unknown[], owner_id: string) =>
      admin.client.post(`${path}/findings/assign`, { ids, owner_id });
    expect((await assign([id], stranger.id)).json.error_code).toBe('owner_not_member');
    const refused = await assign([id, foreign], member.id);
    expect(refused.status).toBe(404);
    expect(refused.json.fields).toMatchObject([{ path: 'ids.1' }]);
    expect((await detailOf(id!)).owner).toBeNull();
    expect((await member.client.post(`${path}/findings/assign`, { ids: [id], owner_id: null })).status).toBe(
      403,
    );
  });

  it('who leaves owns nothing, also after joining again, and the history says so', async () => {
    const [id, other] = await storeFindings(source, [{}, {}]);
    await admin.client.post(`${path}/findings/assign`, { ids: [id], owner_id: member.id });
    await admin.client.post(`${path}/findings/assign`, { ids: [other], owner_id: admin.id });
    await remove(member);
    expect(await listed('owner=none')).toEqual([id]);
    const { owner, edits } = await detailOf(id!);
    expect(owner).toBeNull();
    expect(edits[0]).toMatchObject({ edit: 'left', owner: { id: member.id, name: 'A member' }, by: null });
    await service.storage.people.transaction(transaction =>
      addMember(transaction, source.organizationId, member.id, 'member'),
    );
    expect(await listed('owner=me', member)).toEqual([]);
    expect(
      (await admin.client.post(`${path}/findings/assign`, { ids: [id], owner_id: member.id })).status,
    ).toBe(200);
  });
});

describe('the due date', () => {
  /** Ages of the last day on time, the first day late, and of one without a due date. */
  const findings: FindingInput[] = [
    { severity: 'critical', createdAt: daysAgo(7) },
    { severity: 'critical', createdAt: daysAgo(8) },
    { severity: 'high', createdAt: daysAgo(30) },
    { severity: 'high', createdAt: daysAgo(31) },
    { severity: 'low', createdAt: daysAgo(100) },
    { severity: 'info', createdAt: daysAgo(400) },
    { severity: 'critical', createdAt: daysAgo(300), resolved: true },
  ];

  it('follows from the policy, by UTC days', async () => {
    const ids = await storeFindings(source, findings);
    const [lastDay, late, highLastDay, highLate, low, info, resolved] = ids;
    expect(await detailOf(lastDay!)).toMatchObject({ due_on: dayIn(0), overdue: false, due_is_own: false });
    expect(await detailOf(late!)).toMatchObject({ due_on: dayIn(-1), overdue: true });
    expect(await detailOf(low!)).toMatchObject({ due_on: dayIn(80), overdue: false });
    expect(await detailOf(info!)).toMatchObject({ due_on: null, overdue: false });
    expect(await detailOf(resolved!)).toMatchObject({ due_on: null, overdue: false });
    expect(new Set(await listed('due=overdue'))).toEqual(new Set([late, highLate]));
    expect(new Set(await listed('due=week'))).toEqual(new Set([lastDay, highLastDay]));
    expect((await admin.client.get(`${path}/findings/counts?due=overdue`)).json.total).toBe(2);
  });

  it('changes with the policy at once, but not if a person set it', async () => {
    const [own, byPolicy] = await storeFindings(source, [
      { severity: 'low', createdAt: daysAgo(10) },
      { severity: 'low', createdAt: daysAgo(10) },
    ]);
    const { json } = await admin.client.post(`${path}/findings/due`, { ids: [own], due_on: dayIn(3) });
    expect(json.findings).toMatchObject([{ id: own, due_on: dayIn(3), due_is_own: true, overdue: false }]);
    const policy = { critical: null, high: 30, medium: 90, low: 5 };
    const changed = await admin.client.request('PUT', `${path}/findings/due-policy`, policy);
    expect(changed).toMatchObject({ status: 200, json: { policy, overdue: 1 } });
    expect(await listed('due=overdue')).toEqual([byPolicy]);
    expect(await listed('due=week')).toEqual([own]);
    await admin.client.post(`${path}/findings/due`, { ids: [own], due_on: null });
    expect(new Set(await listed('due=overdue'))).toEqual(new Set([own, byPolicy]));
    expect((await detailOf(own!)).edits.map(({ due_on }: { due_on: string }) => due_on)).toEqual([
      null,
      dayIn(3),
    ]);
    expect((await member.client.get(`${path}/findings/due-policy`)).json.policy).toEqual(policy);
    expect((await member.client.request('PUT', `${path}/findings/due-policy`, policy)).status).toBe(403);
  });

  it.each([0, 731, 1.5])('refuses %j days', async days => {
    const policy = { critical: days, high: 30, medium: 90, low: 5 };
    expect((await admin.client.request('PUT', `${path}/findings/due-policy`, policy)).status).toBe(400);
  });

  it('is at most 730 days away, and not in the past', async () => {
    const [id] = await storeFindings(source, [{}]);
    const set = (due_on: string) => admin.client.post(`${path}/findings/due`, { ids: [id], due_on });
    expect((await set(dayIn(-2))).json.error_code).toBe('due_date_out_of_range');
    expect((await set(dayIn(732))).json.error_code).toBe('due_date_out_of_range');
    expect((await set('2027-02-30')).status).toBe(400);
    expect((await set(dayIn(0))).status).toBe(200);
  });

  it('counts anew when the finding is detected again, also without the date that a person set', async () => {
    const [id] = await storeFindings(source, [{ severity: 'critical', createdAt: daysAgo(200) }]);
    await admin.client.post(`${path}/findings/due`, { ids: [id], due_on: dayIn(300) });
    const target = { sourceId: source.sourceId, systemId: source.systemId, scanId: randomUUID() };
    const none = { opened: [], reopened: [], updated: [], resolved: [] };
    const flaw = {
      ...{ fingerprint: randomUUID(), formerFingerprints: [], category: 'c', locator: 'l', subject: null },
      ...{ title: 't', remediation: 'r', seen: 's', hipaa: false },
      severity: 'critical',
    } as const;
    await source.store.transaction(transaction =>
      applyFindingChanges(transaction, target, { ...none, resolved: [id!] }),
    );
    await source.store.transaction(transaction =>
      applyFindingChanges(transaction, target, { ...none, reopened: [{ id: id!, flaw }] }),
    );
    const detail = await detailOf(id!);
    expect(detail).toMatchObject({ due_on: dayIn(7), due_is_own: false, overdue: false });
    await source.store.transaction(transaction =>
      applyFindingChanges(transaction, target, { ...none, updated: [{ id: id!, flaw }] }),
    );
    expect((await detailOf(id!)).due_on).toBe(dayIn(7));
    expect(await listed('reopened_since=1d')).toEqual([id]);
    expect(await listed('new_since=1d')).toEqual([]);
  });

  it('of an accepted finding is never overdue', async () => {
    const [id] = await storeFindings(source, [{ severity: 'critical', createdAt: daysAgo(50) }]);
    const until = new Date(Date.now() + 9 * dayMs);
    await source.person.transaction(transaction =>
      decide(transaction, [id!], { decision: 'accepted', reason: 'r', until }),
    );
    expect(await listed('due=overdue&status=accepted,open')).toEqual([]);
    expect(await detailOf(id!)).toMatchObject({ due_on: null, overdue: false });
  });

  it('sorts the list, over all pages', async () => {
    const many = await storeFindings(
      source,
      Array.from({ length: 130 }, (_, index) => ({
        severity: ['critical', 'high', 'medium', 'low', 'info'][index % 5]!,
        createdAt: daysAgo(index * 1.37),
        resolved: index % 13 === 0,
      })),
    );
    await admin.client.post(`${path}/findings/due`, { ids: many.slice(20, 40), due_on: dayIn(2) });
    await admin.client.post(`${path}/findings/due`, { ids: many.slice(40, 45), due_on: dayIn(500) });
    const found: { id: string; due_on: string | null }[] = [];
    let cursor = '';
    do {
      const { status, json } = await admin.client.get(`${path}/findings?order=due${cursor}`);
      expect(status).toBe(200);
      found.push(...json.findings);
      cursor = json.next_cursor && `&cursor=${json.next_cursor}`;
    } while (cursor);
    expect(new Set(found.map(({ id }) => id))).toEqual(new Set(many));
    expect(found).toHaveLength(130);
    const dates = found.map(({ due_on }) => due_on ?? '9999');
    expect(dates).toEqual([...dates].sort());
    expect(dates.filter(date => date === '9999').length).toBeGreaterThan(20);
  });
});

describe('comments', () => {
  const comment = (ids: unknown[], body: string, { client } = member) =>
    client.post(`${path}/findings/comments`, { ids, body });

  it('mention members, who stay readable after they left', async () => {
    const [id] = await storeFindings(source, [{}]);
    const body = `Ask <@${admin.id}> or <@${member.id.toUpperCase()}>`;
    expect((await comment([id], body)).status).toBe(201);
    await remove(admin);
    const [shown] = (await detailOf(id!, member)).comments;
    expect(shown).toMatchObject({
      body,
      mine: true,
      author: { id: member.id, name: 'A member' },
      edited_at: null,
    });
    expect(new Set(shown.mentions.map(({ name }: { name: string }) => name))).toEqual(
      new Set(['A admin', 'A member']),
    );
    expect((await comment([id], `<@${admin.id}>`)).json.error_code).toBe('mention_not_member');
    // Someone who was mentioned before may have left.
    const changed = await member.client.request('PUT', `${path}/finding-comments/${shown.id}`, {
      body: `Only <@${admin.id}>`,
    });
    expect(changed.json.comment).toMatchObject({ mentions: [{ id: admin.id, name: 'A admin' }] });
    expect(changed.json.comment.edited_at).not.toBeNull();
  });

  it('belong to their author, and leave a trace in the audit log', async () => {
    const [id] = await storeFindings(source, [{}]);
    await comment([id], 'One');
    const [{ id: commentId }] = (await detailOf(id!)).comments;
    expect((await detailOf(id!)).comments[0].mine).toBe(false);
    const of = `${path}/finding-comments/${commentId}`;
    expect((await admin.client.request('PUT', of, { body: 'Mine now' })).status).toBe(404);
    expect((await admin.client.request('DELETE', of)).status).toBe(404);
    expect((await member.client.request('DELETE', of)).status).toBe(200);
    expect((await member.client.request('DELETE', of)).status).toBe(404);
    expect((await detailOf(id!)).comments).toEqual([]);
    expect(await auditOf(id!)).toMatchObject([
      { action: 'finding.commented', detail: { comment: commentId } },
      { action: 'finding.comment_deleted', detail: { comment: commentId } },
    ]);
  });

  it('have at most 4,000 characters, and no characters that reorder text', async () => {
    const [id] = await storeFindings(source, [{}]);
    expect((await comment([id], 'x'.repeat(4_001))).status).toBe(400);
    expect((await comment([id], 'x'.repeat(4_000))).status).toBe(201);
    expect((await comment([id], '\u202e \u2066')).status).toBe(400);
    expect((await comment([id], 'safe \u202eevil')).status).toBe(201);
    expect((await detailOf(id!)).comments[0].body).toBe('safe evil');
  });

  it('are bounded per finding, and in their mentions', async () => {
    const [id, other] = await storeFindings(source, [{}, {}]);
    await source.store.transaction(transaction =>
      transaction.query({
        text: `insert into finding_comments (finding_id, author_id, body) select $1, $2, 'b' from generate_series(1, 500)`,
        values: [id, member.id],
      }),
    );
    expect((await comment([other, id], 'One more')).json.error_code).toBe('too_many_comments');
    expect((await detailOf(other!)).comments).toEqual([]);
    const everyone = Array.from({ length: 21 }, () => `<@${randomUUID()}>`).join(' ');
    expect((await comment([other], everyone)).json.error_code).toBe('too_many_mentions');
  });

  it('and all other changes since a time are found, but not what a scan detected again', async () => {
    const old = { createdAt: daysAgo(90) };
    const ids = await storeFindings(
      source,
      Array.from({ length: 5 }, () => old),
    );
    const [commented, assigned, due, triaged] = ids;
    await source.store.transaction(async transaction => {
      await transaction.query({
        text: "update finding_episodes set closed_at = now() - interval '30 days' where finding_id = any($1)",
        values: [ids],
      });
    });
    expect(await listed(`changed_since=${dayIn(-1)}`)).toHaveLength(5);
    const since = encodeURIComponent(new Date().toISOString());
    expect(await listed(`changed_since=${since}`)).toEqual([]);
    await comment([commented], 'C');
    await admin.client.post(`${path}/findings/assign`, { ids: [assigned], owner_id: admin.id });
    await admin.client.post(`${path}/findings/due`, { ids: [due], due_on: dayIn(5) });
    await admin.client.post(`${path}/findings/triage`, {
      ids: [triaged],
      decision: { decision: 'false_positive', reason: 'r' },
    });
    expect(new Set(await listed(`changed_since=${since}`))).toEqual(
      new Set([commented, assigned, due, triaged]),
    );
    expect((await admin.client.get(`${path}/findings?new_since=2027-02-30`)).status).toBe(400);
    expect((await admin.client.get(`${path}/findings?new_since=0d`)).status).toBe(400);
  });
});
