import { Ajv } from 'ajv';
import { beforeAll, expect, it } from 'vitest';
import { settleAuditLog } from '../../src/database/audit-chain.ts';
import { allDetectors } from '../../src/detectors/catalogue.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import type { DashboardClient } from '../support/dashboard-client.ts';
import { storeFindings } from '../support/findings.ts';
import { addPerson } from '../support/people.ts';
import { asOwner } from '../support/postgres.ts';
import { sarifValidator } from '../support/sarif-schema.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
let source: AuthorizedSource;
let member: DashboardClient;
let path: string;
const check = allDetectors()
  .flatMap(({ checks }) => checks)
  .find(({ safeguards }) => safeguards.length > 0)!;
const link = '[Sign in again](https://evil.example)';
const dueOn = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
const formula = '=HYPERLINK("https://evil.example","click")';

beforeAll(async () => {
  service = await sharedService();
  source = await authorizedSource(service);
  const { client } = await addPerson(service, source.organizationId, 'member');
  const { client: admin, id: adminId } = await addPerson(service, source.organizationId, 'admin');
  member = client;
  path = `/organizations/${source.organizationId}/findings`;
  const [accepted, owned] = await storeFindings(source, [
    { category: check.id, severity: 'critical', title: check.title },
    { locator: formula, severity: 'low', remediation: link },
    { resolved: true, severity: 'info', category: 'cookies.broad_domain', locator: 'shop.example sid' },
    // More than one batch.
    ...Array.from({ length: 1200 }, () => ({ severity: 'medium' })),
  ]);
  await admin.post(`${path}/assign`, { ids: [owned], owner_id: adminId });
  await admin.post(`${path}/due`, { ids: [owned], due_on: dueOn });
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const decision = { decision: 'accepted', reason: 'r', until };
  expect((await admin.post(`${path}/triage`, { ids: [accepted], decision })).status).toBe(200);
});

/** Twenty thousand findings are more than an unread connection buffers. */
const fillWith = (findings: number, { organizationId, systemId, sourceId }: AuthorizedSource) =>
  asOwner(service.database.connection, connection =>
    connection.query(
      `insert into findings (organization_id, system_id, source_id, fingerprint, category, locator, severity, title,
          remediation, seen, hipaa)
        select $1, $2, $3, n::text, 'tls.a', 'l', 'low', 't', 'r', repeat('seen', 500), false
        from generate_series(1, $4::int) as n`,
      [organizationId, systemId, sourceId, findings],
    ),
  );

const take = (format: string, query = '') => member.get(`${path}/export?format=${format}${query}`);

it('is CSV of the filtered list, without formulas', async () => {
  const { text, headers } = await take('csv');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="findings-[\d-]{10}\.csv"/);
  const lines = text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(1204);
  expect(lines[0]).toMatch(/^"id","severity","status","category","title","location","locator",/);
  expect(text).toContain(`"'${formula.replaceAll('"', '""')}"`);
  expect(text).toContain('"Cookie sid of shop.example","shop.example sid"');
  expect((await take('csv', '&severity=low')).text.trimEnd().split('\r\n')).toHaveLength(2);
  expect((await take('csv', '&severity=high')).text.trimEnd().split('\r\n')).toHaveLength(1);
});

it('is JSON with every finding once', async () => {
  const { json } = await take('json');
  expect(new Set(json.findings.map(({ id }: { id: string }) => id)).size).toBe(1203);
  expect(json.findings.find((each: { locator: string }) => each.locator === formula)).toMatchObject({
    severity: 'low',
    status: 'open',
    source_name: 'W',
    system_name: 'S',
  });
  expect((await take('json', '&severity=high')).json).toEqual({ findings: [] });
});

it('is SARIF 2.1.0 by the schema of the standard, with triage as suppressions', async () => {
  const { text } = await take('sarif');
  const log = JSON.parse(text);
  const validate = sarifValidator();
  validate(log);
  expect(validate.errors).toBeNull();
  const [{ results, tool }] = log.runs;
  expect(results).toHaveLength(1203);
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
  const accepted = results.find(({ ruleId }: { ruleId: string }) => ruleId === check.id);
  expect(accepted).toMatchObject({
    level: 'error',
    suppressions: [{ kind: 'external', status: 'accepted' }],
  });
  for (const { locations } of results) {
    const { uri } = locations[0].physicalLocation.artifactLocation;
    expect(uri, 'GitHub refuses a log with another scheme than file').toMatch(/^[^:/][^:]*$/);
  }
  const cookie = results.find(({ ruleId }: { ruleId: string }) => ruleId === 'cookies.broad_domain');
  expect(cookie.locations).toEqual([
    {
      physicalLocation: { artifactLocation: { uri: 'shop.example' }, region: { startLine: 1 } },
      logicalLocations: [
        { name: 'Cookie sid of shop.example', kind: 'member' },
        { name: 'W', fullyQualifiedName: `source/${source.sourceId}`, kind: 'resource' },
      ],
    },
  ]);
  expect(cookie.message.text).toMatch(/^Cookie sid of shop\.example: /);
});

it('has the owner and due date in each format', async () => {
  const only = '&severity=low';
  const lines = (await take('csv', only)).text.split('\r\n').map(line => line.split(','));
  const column = (name: string) => lines[1]!.at(lines[0]!.indexOf(`"${name}"`) - lines[0]!.length);
  expect([column('owner'), column('due_on'), column('overdue')]).toEqual([
    '"A admin"',
    `"${dueOn}"`,
    'false',
  ]);
  const [finding] = (await take('json', only)).json.findings;
  expect(finding).toMatchObject({
    owner: { name: 'A admin' },
    due_on: dueOn,
    due_is_own: true,
    overdue: false,
  });
  const [{ results }] = JSON.parse((await take('sarif', only)).text).runs;
  expect(results[0].properties).toMatchObject({ owner: 'A admin', due_on: dueOn, overdue: false });
  expect(JSON.parse((await take('ocsf', only)).text).unmapped).toMatchObject({
    owner: { name: 'A admin' },
    due_on: dueOn,
    overdue: false,
  });
});

it('creates no SARIF links from a target’s text', async () => {
  const { text } = await take('sarif');
  expect(text).not.toContain(link);
  const [{ results }] = JSON.parse(text).runs;
  const messages = results.map(({ message }: { message: { text: string } }) => message.text);
  expect(messages.filter((message: string) => message.includes('evil.example'))).toEqual([
    expect.stringContaining(String.raw`\[Sign in again\](https://evil.example)`),
  ]);
});

/** The required members of the class Compliance Finding of OCSF 1.3.0, with their forms. */
const complianceFinding = {
  type: 'object',
  required: [
    'activity_id',
    'category_uid',
    'class_uid',
    'compliance',
    'finding_info',
    'metadata',
    'severity_id',
    'time',
    'type_uid',
  ],
  properties: {
    activity_id: { enum: [1, 2, 3] },
    category_uid: { const: 2 },
    class_uid: { const: 2003 },
    severity_id: { enum: [1, 2, 3, 4, 5] },
    status_id: { enum: [1, 2, 3, 4] },
    time: { type: 'integer' },
    type_uid: { enum: [200301, 200302, 200303] },
    compliance: {
      type: 'object',
      required: ['standards'],
      properties: {
        standards: { type: 'array', minItems: 1, items: { type: 'string' } },
        requirements: { type: 'array', items: { type: 'string' } },
        status_id: { enum: [1, 2, 3] },
      },
    },
    finding_info: {
      type: 'object',
      required: ['uid', 'title'],
      properties: {
        analytic: { type: 'object', required: ['type_id'] },
        created_time: { type: 'integer' },
        last_seen_time: { type: 'integer' },
      },
    },
    metadata: {
      type: 'object',
      required: ['product', 'version'],
      properties: {
        version: { const: '1.3.0' },
        product: { type: 'object', required: ['name', 'vendor_name'] },
      },
    },
    remediation: { type: 'object', required: ['desc'] },
    resources: { type: 'array', items: { type: 'object', required: ['uid', 'name', 'type'] } },
  },
};

it('is OCSF: a compliance finding on each line', async () => {
  const { text, headers } = await take('ocsf');
  expect(headers.get('content-type')).toBe('application/x-ndjson');
  const events = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(events).toHaveLength(1203);
  const validate = new Ajv({ strict: false }).compile(complianceFinding);
  for (const event of events) {
    validate(event);
    expect(validate.errors).toBeNull();
    expect(event.type_uid).toBe(event.class_uid * 100 + event.activity_id);
  }
  const accepted = events.find(event => event.compliance.control === check.id);
  expect(accepted).toMatchObject({ severity_id: 5, status_id: 3, compliance: { status: 'Fail' } });
  expect(accepted.compliance.requirements).toEqual(check.safeguards.map(({ citation }) => citation));
  expect(events.find(event => event.severity_id === 1)).toMatchObject({
    resources: [{ data: { location: 'Cookie sid of shop.example', locator: 'shop.example sid' } }],
    type_uid: 200303,
    status_id: 4,
    compliance: { status: 'Pass' },
  });
});

it('is in the audit log, with its actor and filters', async () => {
  await take('json', '&severity=low&search=shop');
  const rows = await source.store.queryOnce<{ detail: object; actor_kind: string }>({
    text: `select detail, actor_kind from audit_entries where action = 'findings.exported' order by sequence desc limit 1`,
  });
  expect(rows).toEqual([
    { actor_kind: 'person', detail: { format: 'json', filters: { severity: 'low', search: 'shop' } } },
  ]);
});

it('is limited to a few at once in an organization, without affecting others', async () => {
  const crowded = await authorizedSource(service);
  const { client } = await addPerson(service, crowded.organizationId, 'admin');
  await fillWith(20_000, crowded);
  const begin = (path: string, signal: AbortSignal) =>
    fetch(`${client.url}/dashboard/api/organizations/${crowded.organizationId}/${path}`, {
      headers: { cookie: client.cookie! },
      signal,
    });
  const gone = new AbortController();
  const held = await Promise.all(
    ['csv', 'ocsf'].map(format => begin(`findings/export?format=${format}`, gone.signal)),
  );
  expect(held.map(({ status }) => status)).toEqual([200, 200]);
  const waiting = Array.from({ length: 3 }, () => begin('audit/export?format=csv', gone.signal));
  const refused = await Promise.race(waiting);
  expect([refused.status, await refused.json()]).toMatchObject([429, { error_code: 'too_many_downloads' }]);
  expect((await take('csv')).status, 'of another organization').toBe(200);
  await settleAuditLog(crowded.store);
  const actions = await crowded.store.queryOnce<{ action: string }>({
    text: `select action from audit_entries where action like '%.exported'`,
  });
  expect(actions, 'none that is queued or was refused').toHaveLength(2);
  gone.abort();
  await Promise.allSettled(waiting);
  const next = await client.get(`/organizations/${crowded.organizationId}/audit/export?format=csv`);
  expect(next.status, 'after the others were closed').toBe(200);
});

it('does not wait for files that other organizations read slowly', async () => {
  // First, since it takes seconds, after which connections that were never used are closed.
  const sources = await Promise.all(Array.from({ length: 6 }, () => authorizedSource(service)));
  for (const slow of sources) await fillWith(20_000, slow);
  const gone = new AbortController();
  const held = await Promise.all(
    sources.map(async (slow, index) => {
      const { client } = await addPerson(service, slow.organizationId, 'admin');
      const url = `${client.url}/dashboard/api/organizations/${slow.organizationId}/findings/export?format=${index % 2 ? 'csv' : 'json'}`;
      return (await fetch(url, { headers: { cookie: client.cookie! }, signal: gone.signal })).status;
    }),
  );
  expect(held).toEqual(Array(6).fill(200));
  expect((await take('csv')).status).toBe(200);
  gone.abort();
});

it.each(['pdf', ''])('refuses the unknown format %j', async format => {
  expect((await take(format)).status).toBe(400);
});
