import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allDetectors } from '../../src/detectors/catalogue.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import type { DashboardClient } from '../support/dashboard-client.ts';
import { storeFindings } from '../support/findings.ts';
import { addPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

let source: AuthorizedSource;
let member: DashboardClient;
let admin: DashboardClient;
let path: string;
beforeEach(async () => {
  source = await authorizedSource(service);
  member = (await addPerson(service, source.organizationId, 'member')).client;
  admin = (await addPerson(service, source.organizationId, 'admin')).client;
  path = `/organizations/${source.organizationId}/findings`;
});

/** The ids of the list, over all pages. */
async function listed(query: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  do {
    const { status, json } = await member.get(`${path}?${query}${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    expect(json.findings.length).toBeLessThanOrEqual(50);
    ids.push(...json.findings.map((finding: { id: string }) => finding.id));
    cursor = json.next_cursor ?? '';
  } while (cursor);
  return ids;
}

describe('the list', () => {
  it('pages through every order without omissions or repetitions', async () => {
    const day = (index: number) => new Date(Date.UTC(2026, 0, 1 + (index % 40))).toISOString();
    const severities = ['low', 'critical', 'info', 'high', 'medium'];
    const ids = await storeFindings(
      source,
      Array.from({ length: 120 }, (_, index) => ({
        severity: severities[index % 5]!,
        createdAt: day(index),
        lastSeenAt: day(index * 7),
      })),
    );
    for (const order of ['worst', 'newest', 'last_seen']) {
      const found = await listed(`order=${order}`);
      expect(found).toHaveLength(120);
      expect(new Set(found)).toEqual(new Set(ids));
    }
    const { json } = await member.get(path);
    expect(json.findings.every((finding: { severity: string }) => finding.severity !== 'info')).toBe(true);
    expect(json.findings[0]).toMatchObject({
      severity: 'critical',
      source: { id: source.sourceId, name: 'W' },
      system: { id: source.systemId, name: 'S' },
    });
  });

  it('applies all filters, and counts the matches', async () => {
    const [tls, cookie, gone, back] = await storeFindings(source, [
      { category: 'website.tls.expired', severity: 'high', hipaa: true },
      { category: 'website.tlsx.other', severity: 'low', locator: 'cookie "100%_SID"' },
      { severity: 'critical', resolved: true, title: 'Öffentliche Datei' },
      { severity: 'medium', episodes: 2, title: "It's O'Brien" },
    ]);
    await admin.post(`${path}/triage`, {
      ids: [cookie],
      decision: { decision: 'false_positive', reason: 'Not ours' },
    });
    const cases: [query: string, ids: (string | undefined)[]][] = [
      ['severity=high,low', [tls, cookie]],
      ['status=open', [tls, back]],
      ['status=resolved,false_positive', [gone, cookie]],
      ['category=website.tls', [gone, tls, back]],
      ['category=website.tls.expired', [gone, tls, back]],
      ['category=web', []],
      ['category=hipaa', [tls]],
      [`source_id=${source.sourceId}`, [gone, tls, back, cookie]],
      [`source_id=${randomUUID()}`, []],
      [`system_id=${source.systemId.toUpperCase()}&severity=medium`, [back]],
      ['reopened=yes', [back]],
      ['search=100%25_', [cookie]],
      ['search=%C3%96FFENTLICHE', [gone]],
      ["search=o'brien", [back]],
      ['search=TLSX', [cookie]],
      ['search=nothing%20like%20it', []],
    ];
    for (const [query, ids] of cases) {
      expect(await listed(query), query).toEqual(ids);
      const { json } = await member.get(`${path}/counts?${query}`);
      expect(json.total, query).toBe(ids.length);
    }
    const { json } = await member.get(`${path}/counts?severity=high&status=open`);
    expect(json).toEqual({
      total: 1,
      fix_first: [{ check: 'website.tls.expired', title: expect.any(String), severity: 'high', count: 1 }],
      by_severity: { critical: 0, high: 1, medium: 1, low: 0, info: 0 },
      by_status: { open: 1, resolved: 0, accepted: 0, false_positive: 0 },
    });
  });

  it('lists the ten checks to fix first: most severe, then most findings, without info', async () => {
    const often = Array.from({ length: 3 }, () => ({
      category: 'b.often',
      severity: 'medium',
      title: 'Often',
    }));
    await storeFindings(source, [
      ...often,
      { category: 'a.once', severity: 'medium', title: 'Once' },
      { category: 'z.mixed', severity: 'low', title: 'Mixed' },
      { category: 'z.mixed', severity: 'high', title: 'Mixed' },
      { category: 'c.gone', severity: 'critical', resolved: true },
      { category: 'd.info', severity: 'info' },
      ...Array.from({ length: 9 }, (_, index) => ({ category: `e.low_${index}`, severity: 'low' })),
    ]);
    const first = async (query: string) => (await member.get(`${path}/counts?${query}`)).json.fix_first;
    const open = await first('status=open');
    expect(open).toHaveLength(10);
    const worst = [
      { check: 'z.mixed', title: 'Mixed', severity: 'high', count: 2 },
      { check: 'b.often', title: 'Often', severity: 'medium', count: 3 },
      { check: 'a.once', title: 'Once', severity: 'medium', count: 1 },
    ];
    expect(open.slice(0, 3)).toEqual(worst);
    expect(open.slice(3).map(({ check }: { check: string }) => check)).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map(index => `e.low_${index}`),
    );
    for (const query of [`status=open&source_id=${source.sourceId}`, 'status=open&search=shop.example']) {
      expect(await first(query), query).toEqual(open);
    }
    expect(await first(`status=open&system_id=${randomUUID()}`)).toEqual([]);
    expect(await first('status=open&severity=medium')).toEqual(worst.slice(1));
    const { json } = await member.get(`/organizations/${source.organizationId}/overview`);
    expect(json.fix_first).toEqual(open);
  });

  it.each([
    'severity=worst',
    'severity=high,',
    'order=random',
    'cursor=e30',
    'search=',
    'limit=5',
    'category=%27',
    'source_id=1',
  ])('refuses %s', async query => {
    expect((await member.get(`${path}?${query}`)).status).toBe(400);
  });

  it('does not accept its cursor in another list', async () => {
    await storeFindings(
      source,
      Array.from({ length: 51 }, () => ({})),
    );
    const { json } = await member.get(`${path}?order=newest`);
    expect((await member.get(`${path}?order=newest&cursor=${json.next_cursor}`)).status).toBe(200);
    for (const query of ['order=worst', 'order=newest&status=open', 'order=last_seen']) {
      const answer = await member.get(`${path}?${query}&cursor=${json.next_cursor}`);
      expect(answer.json.error_code, query).toBe('invalid_cursor');
    }
  });
});

describe('one finding', () => {
  it('shows the observation, why it matters, the fix, and its history with names', async () => {
    const [id] = await storeFindings(source, [{ category: 'website.tls.expired', episodes: 2 }]);
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const decision = { decision: 'accepted', reason: 'Moves next week', until };
    expect((await admin.post(`${path}/triage`, { ids: [id], decision })).json).toEqual({
      findings: [{ id, status: 'accepted' }],
    });
    const { json } = await member.get(`${path}/${id}`);
    expect(json.finding).toMatchObject({
      id,
      status: 'accepted',
      seen: 'It was seen.',
      reopened: true,
      source: { host: 'shop.example', kind: 'website' },
      verification: { possible: true, scan_id: null },
      episodes: [{ number: 2 }, { number: 1 }],
      decisions: [{ decision: 'accepted', reason: 'Moves next week', by: 'A admin' }],
    });
    expect(new Date(json.finding.accepted_until).toISOString()).toBe(until);
  });

  it('keeps the time of its last observation, whatever people decide later', async () => {
    const lastSeenAt = '2026-01-02T03:04:05.000+00:00';
    const [id] = await storeFindings(source, [{ lastSeenAt }]);
    await admin.post(`${path}/triage`, { ids: [id], decision: { decision: 'reopened' } });
    const { finding } = (await member.get(`${path}/${id}`)).json;
    expect(finding.last_seen_at).toBe(lastSeenAt);
    expect(Date.parse(finding.updated_at)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('explains the check from the catalogue, and has no explanation for unknown checks', async () => {
    const [checked] = allDetectors().flatMap(({ checks }) => checks);
    const [known, unknown] = await storeFindings(source, [
      { category: checked!.id },
      { category: 'website.gone.check' },
    ]);
    const detail = async (id: string) => (await member.get(`${path}/${id}`)).json.finding;
    expect((await detail(unknown!)).check).toBeNull();
    expect((await detail(known!)).check).toMatchObject({
      why: checked!.why,
      references: checked!.references,
      safeguards: checked!.safeguards,
    });
  });

  it('is verified by one scan, however often it is requested (spec 4)', async () => {
    const [id] = await storeFindings(source, [{}]);
    const answers = await Promise.all([1, 2].map(() => admin.post(`${path}/${id}/verify`)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(answers[0]!.json.scan.id).toBe(answers[1]!.json.scan.id);
    const { json } = await member.get(`${path}/${id}`);
    expect(json.finding.verification.scan_id).toBe(answers[0]!.json.scan.id);
  });

  it('requires a step-up for what only full scans assess', async () => {
    const category = 'injection.sql';
    const locator = 'http://127.0.0.1/s parameter q';
    const [id] = await storeFindings(source, [{ category, locator }]);
    const stolen = await addPerson(service, source.organizationId, 'admin', { steppedUp: false });
    const refused = await stolen.client.post(`${path}/${id}/verify`);
    expect([refused.status, refused.json.error_code]).toEqual([403, 'step_up_required']);
    const { status, json } = await admin.post(`${path}/${id}/verify`);
    expect([status, json.error_code]).toEqual([400, 'domain_not_proven']);
  });

  it('is not verified while its source is not authorized for scans (spec 4)', async () => {
    const [id] = await storeFindings(source, [{}]);
    await asOwner(service.database.connection, client =>
      client.query('update sources set scan_authorized_at = null where id = $1', [source.sourceId]),
    );
    const { status, json } = await admin.post(`${path}/${id}/verify`);
    expect([status, json.error_code]).toEqual([400, 'scan_not_authorized']);
  });
});

describe('triage', () => {
  it('triages 500 findings at once', async () => {
    const ids = await storeFindings(
      source,
      Array.from({ length: 500 }, () => ({})),
    );
    const decision = { decision: 'false_positive', reason: 'A test site' };
    const answer = await admin.post(`${path}/triage`, { ids, decision });
    expect(answer.json.findings).toHaveLength(500);
    expect((await member.get(`${path}/counts?status=false_positive`)).json.total).toBe(500);
    const reopened = await admin.post(`${path}/triage`, { ids, decision: { decision: 'reopened' } });
    expect(reopened.json.findings[0].status).toBe('open');
    const { status } = await admin.post(`${path}/triage`, { ids: [...ids, randomUUID()], decision });
    expect(status).toBe(400);
  });

  it('is all or nothing, and names the missing finding', async () => {
    const [id] = await storeFindings(source, [{}]);
    const [foreign] = await storeFindings(await authorizedSource(service), [{}]);
    const decision = { decision: 'false_positive', reason: 'r' };
    const answer = await admin.post(`${path}/triage`, { ids: [id, foreign], decision });
    expect(answer.status).toBe(404);
    expect(answer.json.fields).toEqual([{ path: 'ids.1', message: 'is not an existing finding' }]);
    expect((await member.get(`${path}/counts?status=open`)).json.total).toBe(1);
  });

  it.each([
    ['no reason', { decision: 'accepted', until: '2030-01-01T00:00:00Z' }],
    ['a blank reason', { decision: 'false_positive', reason: '  ' }],
    ['a day in the past', { decision: 'accepted', reason: 'r', until: '2020-01-01T00:00:00Z' }],
    ['a leap second', { decision: 'accepted', reason: 'r', until: '2016-12-31T23:59:60Z' }],
    ['the year 0', { decision: 'accepted', reason: 'r', until: '0000-01-01T00:00:00Z' }],
    ['an unknown word', { decision: 'ignored', reason: 'r' }],
  ])('refuses %s', async (_, decision) => {
    const [id] = await storeFindings(source, [{}]);
    expect((await admin.post(`${path}/triage`, { ids: [id], decision })).status).toBe(400);
  });

  it('is not for members', async () => {
    const [id] = await storeFindings(source, [{}]);
    const decision = { decision: 'reopened' };
    expect((await member.post(`${path}/triage`, { ids: [id], decision })).status).toBe(403);
    expect((await member.post(`${path}/${id}/verify`)).status).toBe(403);
  });
});

describe('views', () => {
  it('saves filters under a name, for oneself or for everyone', async () => {
    const views = `/organizations/${source.organizationId}/views`;
    const view = {
      name: 'Mine first',
      filters: { severity: 'critical,high', order: 'newest' },
      shared: false,
    };
    const { json, status } = await member.post(views, view);
    expect(status).toBe(201);
    expect(json.view).toMatchObject({ ...view, mine: true, by: 'A member' });
    expect((await admin.get(views)).json.views).toEqual([]);
    expect((await member.post(views, view)).json.error_code).toBe('view_name_taken');
    const shared = { ...view, shared: true };
    expect((await admin.request('PUT', `${views}/${json.view.id}`, shared)).status).toBe(404);
    expect((await member.request('PUT', `${views}/${json.view.id}`, shared)).json.view.shared).toBe(true);
    expect((await admin.get(views)).json.views).toMatchObject([{ name: 'Mine first', mine: false }]);
    expect((await member.delete(`${views}/${json.view.id}`)).status).toBe(200);
    expect((await member.get(views)).json.views).toEqual([]);
  });

  it('lets only admins and owners delete what others share, even after they left', async () => {
    const { organizationId } = source;
    const views = `/organizations/${organizationId}/views`;
    const author = await addPerson(service, organizationId, 'member');
    const owner = (await addPerson(service, organizationId, 'owner')).client;
    const save = async (name: string, shared: boolean): Promise<string> =>
      (await author.client.post(views, { name, filters: {}, shared })).json.view.id;
    const [first, second, own] = [
      await save('First', true),
      await save('Second', true),
      await save('Own', false),
    ];
    expect((await owner.delete(`/organizations/${organizationId}/people/${author.id}`)).status).toBe(200);
    expect((await member.delete(`${views}/${first}`)).status).toBe(404);
    expect((await admin.delete(`${views}/${own}`)).status, 'not shared').toBe(404);
    const stolen = await addPerson(service, organizationId, 'admin', { steppedUp: false });
    const refused = await stolen.client.delete(`${views}/${first}`);
    expect(refused.json.error_code).toBe('step_up_required');
    expect((await admin.get(views)).json.views).toHaveLength(2);
    expect((await admin.delete(`${views}/${first}`)).status).toBe(200);
    expect((await owner.delete(`${views}/${second}`)).status).toBe(200);
    expect((await admin.get(views)).json.views).toEqual([]);
    const { entries } = (await owner.get(`/organizations/${organizationId}/audit`)).json;
    expect(
      entries
        .filter(({ action }: { action: string }) => action === 'finding_view.deleted')
        .map(({ object }: { object: { id: string } }) => object.id),
    ).toEqual([second, first]);
  });

  it('requires a step-up for shared views, and for no others', async () => {
    const views = `/organizations/${source.organizationId}/views`;
    const author = await addPerson(service, source.organizationId, 'member');
    const view = (shared: boolean, severity = 'high') => ({ name: 'Ours', filters: { severity }, shared });
    const { id } = (await author.client.post(views, view(true))).json.view;
    const stale = 'update sessions set stepped_up_at = null where person_id = $1';
    await asOwner(service.database.connection, client => client.query(stale, [author.id]));
    const codes = async (requests: readonly Promise<{ json: { error_code?: string } }>[]) =>
      (await Promise.all(requests)).map(({ json }) => json.error_code);
    const put = (path: string, body: object) => author.client.request('PUT', path, body);
    expect(
      await codes([
        author.client.post(views, { ...view(true), name: 'Another' }),
        put(`${views}/${id}`, view(true, 'low')),
        put(`${views}/${id}`, view(false)),
        author.client.delete(`${views}/${id}`),
      ]),
    ).toEqual(Array(4).fill('step_up_required'));
    const { json } = await admin.get(views);
    expect(json.views.map(({ name, filters, shared }: typeof json) => ({ name, filters, shared }))).toEqual([
      view(true),
    ]);
    const own = (await author.client.post(views, { ...view(false), name: 'My own' })).json.view.id;
    expect(await codes([put(`${views}/${own}`, { ...view(true), name: 'My own' })])).toEqual([
      'step_up_required',
    ]);
    expect(await codes([put(`${views}/${own}`, { ...view(false, 'low'), name: 'My own' })])).toEqual([
      undefined,
    ]);
    expect(await codes([author.client.delete(`${views}/${own}`)])).toEqual([undefined]);
    expect((await admin.delete(`${views}/${id}`)).status).toBe(200);
  });

  it('refuses filters that the list would', async () => {
    const view = { name: 'V', filters: { severity: 'worst' }, shared: false };
    expect((await member.post(`/organizations/${source.organizationId}/views`, view)).status).toBe(400);
  });
});
