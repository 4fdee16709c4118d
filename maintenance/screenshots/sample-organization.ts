import { operator } from '../../src/main/operator.ts';
import { addMember } from '../../src/resources/people/memberships.ts';
import type { DashboardClient } from '../../test/support/dashboard-client.ts';
import { addPerson, type TestPerson } from '../../test/support/people.ts';
import { poll } from '../../test/support/poll.ts';
import { decide, keepEvidence, mintKeys, sendEvents } from './sample-activity.ts';
import { moveIntoPast, nameHosts, setTheScene } from './sample-past.ts';
import { reportByProbe } from './sample-probe.ts';
import type { SampleService } from './sample-service.ts';
import { reportByShield } from './sample-shield.ts';
import { type SampleSite, startSampleSite } from './sample-sites.ts';

export interface SampleOrganization {
  readonly id: string;
  /** Another organization of the owner, without any data. */
  readonly emptyId: string;
  readonly owner: TestPerson;
  readonly sites: readonly SampleSite[];
  /** An unused link. */
  readonly invitation: URL;
}

/** How many days ago each round of scans was, and how many flaws of each site were fixed by then. */
const rounds = [
  { daysAgo: 41, fixed: [0, 2, 4] },
  { daysAgo: 34, fixed: [0, 2, 4] },
  { daysAgo: 27, fixed: [1, 3, 3] },
  { daysAgo: 20, fixed: [2, 3, 4] },
  { daysAgo: 13, fixed: [3, 4, 5] },
  { daysAgo: 6, fixed: [2, 5, 5] },
  { daysAgo: 2, fixed: [4, 5, 6] },
  { daysAgo: 0, fixed: [4, 5, 5] },
] as const;

/**
 * A clinic whose three sites have been scanned for six weeks, with everything that the dashboard can show.
 */
export async function makeSampleOrganization(service: SampleService): Promise<SampleOrganization> {
  const { id } = await service.storage.system.createOrganization('Harbor View Clinic', operator);
  const empty = await service.storage.system.createOrganization('Northgate Laboratories', operator);
  const owner = await addPerson(service, id, 'owner', { steppedUp: true });
  const colleagues = [await addPerson(service, id, 'admin'), await addPerson(service, id, 'member')];
  await namePeople(service, [owner, ...colleagues]);
  await service.storage.people.transaction(people => addMember(people, empty.id, owner.id, 'owner'));
  const api = (path: string) => `/organizations/${id}${path}`;
  const post = poster(owner.client, api);

  const sites = await Promise.all([0, 0, 0].map(startSampleSite));
  const systems = [
    await post('/systems', { name: 'Patient portal', environment: 'production', kind: 'site' }),
    await post('/systems', { name: 'Clinic website', environment: 'production', kind: 'site' }),
    await post('/systems', { name: 'Booking API', environment: 'staging', kind: 'api' }),
    await post('/systems', { name: 'Staff intranet', environment: 'production', kind: 'application' }),
  ].map(({ system }) => system.id as string);
  const names = ['Portal website', 'Main website', 'Booking'];
  const sources: string[] = [];
  for (const [index, site] of sites.entries()) {
    const body = {
      system_id: systems[index],
      name: names[index],
      kind: 'website',
      host: site.host,
    };
    const { source, risk_statement } = await post('/sources', body);
    const statement_version = risk_statement.version;
    await post(`/sources/${source.id}/risk-accept`, { statement_version });
    await post(`/sources/${source.id}/test`, {});
    await post(`/sources/${source.id}/authorize-scan`, {});
    sources.push(source.id);
  }
  for (const round of rounds) {
    for (const [index, site] of sites.entries()) site.fixed = round.fixed[index]!;
    // The last scan takes the triage into account.
    if (round.daysAgo === 0) await decide(owner.client, api, sources[2]!);
    await scanAll(post, owner.client, api, sources);
    const next = rounds[rounds.indexOf(round) + 1];
    if (next) await moveIntoPast(service, round.daysAgo - next.daysAgo);
  }
  await reportByProbe(service, post, { api, client: owner.client, systemId: systems[3]! });
  await post('/sources', {
    system_id: systems[3],
    name: 'Records database',
    kind: 'postgres',
    host: 'db.harborview.example',
  });
  await owner.client.request('PUT', api(`/sources/${sources[0]}/watch`), { every_hours: 24 });
  await sendEvents(service, id, systems);
  await keepEvidence(owner.client, api, sources);
  const invited = await post('/invitations', { email: 'dana.okafor@harborview.example', role: 'admin' });
  await owner.client.post('/account/backup-codes');
  await mintKeys(service, id, systems[0]!);
  const hosts = ['portal.harborview.example', 'www.harborview.example', 'booking.harborview.example'];
  await nameHosts(service, new Map(sources.map((source, index) => [source, hosts[index]!])));
  await reportByShield(service, {
    ...{ api, client: owner.client, organizationId: id },
    ...{ systemId: systems[0]!, sourceId: sources[0]!, host: hosts[0]! },
  });
  await setTheScene(service);
  return { id, emptyId: empty.id, owner, sites, invitation: new URL(invited.url) };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Post = (path: string, body: object) => Promise<any>;

function poster(client: DashboardClient, api: (path: string) => string): Post {
  return async (path, body) => {
    const answer = await client.post(api(path), body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
}

async function namePeople(service: SampleService, people: readonly TestPerson[]): Promise<void> {
  const names = ['Ada Berg', 'Ben Ito', 'Chiara Rossi'];
  await service.asOwner(async client => {
    for (const [index, { id }] of people.entries()) {
      const name = names[index]!;
      const email = `${name.toLowerCase().replace(' ', '.')}@harborview.example`;
      await client.query('update people set name = $2, email = $3 where id = $1', [id, name, email]);
    }
  });
}

async function scanAll(
  post: Post,
  client: DashboardClient,
  api: (path: string) => string,
  sources: readonly string[],
): Promise<void> {
  const scans = await Promise.all(
    sources.map(source_id => post('/scans', { source_id }).then(({ scan }) => scan.id as string)),
  );
  for (const scan of scans) {
    await poll(`scan ${scan}`, async () => {
      const { json } = await client.get(api(`/scans/${scan}`));
      return json.scan.finished_at ?? undefined;
    });
  }
}
