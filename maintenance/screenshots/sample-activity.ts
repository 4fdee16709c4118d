import { randomUUID } from 'node:crypto';
import type { ControlMatrix } from '../../src/contract/dashboard/controls.ts';
import { scopesOf } from '../../src/domain/scopes.ts';
import { operator } from '../../src/main/operator.ts';
import { mintApiKey } from '../../src/resources/keys/mint-api-key.ts';
import type { DashboardClient } from '../../test/support/dashboard-client.ts';
import { call } from '../../test/support/signing-client.ts';
import type { SampleService } from './sample-service.ts';

/** Events of probes and Shield over the last week, more by day than by night. */
export async function sendEvents(
  service: SampleService,
  organizationId: string,
  systems: readonly string[],
): Promise<void> {
  const store = service.storage.tenant(organizationId, operator);
  const key = await store.transaction(transaction =>
    mintApiKey(transaction, {
      name: 'SIEM',
      kind: 'dashboard',
      systemId: null,
      scopes: scopesOf('dashboard', { privileged: false }),
    }),
  );
  const kinds = {
    events: ['probe.checked', 'probe.started', 'tls.renewed'],
    shield: ['request.blocked', 'request.flagged'],
  };
  for (const channel of ['events', 'shield'] as const) {
    for (const [index, system_id] of systems.slice(0, 3).entries()) {
      const events = Array.from({ length: 150 }, (_, number) => {
        const hoursAgo = (number / 150) * 168 + Math.sin(number * 7 + index) * 2;
        const at = new Date(Date.now() - Math.max(hoursAgo, 0.05) * 3_600_000);
        const kind = kinds[channel][(number * 5 + index) % kinds[channel].length];
        return { id: randomUUID(), kind, occurred_at: at.toISOString(), path: '/login', rule: '942100' };
      }).filter(({ occurred_at }) => new Date(occurred_at).getUTCHours() > 5 || Math.random() < 0.4);
      const { status, text } = await call(service.url, key, 'POST', `/functions/v1/${channel}-ingest`, {
        system_id,
        events,
      });
      if (status !== 202) throw new Error(`${channel}: ${status} ${text}`);
    }
  }
}

/** Accepts the most severe findings of staging for a while, and marks one as a false positive. */
export async function decide(
  client: DashboardClient,
  api: (path: string) => string,
  stagingSource: string,
): Promise<void> {
  const idsOf = async (filter: string): Promise<string[]> => {
    const { json } = await client.get(api(`/findings?status=open&${filter}`));
    return json.findings.map(({ id }: { id: string }) => id);
  };
  const until = new Date(Date.now() + 60 * 86_400_000).toISOString();
  const accepted = await idsOf(`severity=critical,high&source_id=${stagingSource}`);
  const [mistaken] = await idsOf('severity=low');
  const decisions = [
    {
      ids: accepted,
      decision: { decision: 'accepted', reason: 'Staging, behind the VPN until March', until },
    },
    { ids: [mistaken], decision: { decision: 'false_positive', reason: 'Set by the CDN in front of it' } },
  ];
  for (const body of decisions) {
    const answer = await client.post(api('/findings/triage'), body);
    if (answer.status >= 300) throw new Error(`triage: ${answer.text}`);
  }
}

export async function keepEvidence(
  client: DashboardClient,
  api: (path: string) => string,
  sources: readonly string[],
): Promise<void> {
  const { json: matrix } = await client.get(api('/controls'));
  const controls = (matrix as ControlMatrix).sections.flatMap(section => section.controls);
  const valid_until = new Date(Date.now() + 200 * 86_400_000).toISOString();
  const minutes = await client.request(
    'POST',
    api('/evidence/files?name=minutes.txt'),
    'Minutes of the meeting with the privacy officer.',
    { 'content-type': 'application/octet-stream' },
  );
  for (const { citation } of controls.filter(({ state }) => state === 'not_assessed').slice(0, 3)) {
    const statement = 'Reviewed with the privacy officer; the minutes are in the evidence.';
    await client.post(api(`/controls/${encodeURIComponent(citation)}/attestations`), {
      statement,
      valid_until,
      evidence_ids: [minutes.json.evidence.id],
    });
  }
  await client.post(api('/evidence/snapshots'), { kind: 'controls' });
  const { json } = await client.get(api(`/scans?source_id=${sources[0]}`));
  await client.post(api('/evidence/snapshots'), { kind: 'scan', scan_id: json.scans[0].id });
}

export async function mintKeys(
  service: SampleService,
  organizationId: string,
  systemId: string,
): Promise<void> {
  const store = service.storage.tenant(organizationId, operator);
  await store.transaction(async transaction => {
    await mintApiKey(transaction, {
      name: 'CI of the portal',
      kind: 'dashboard',
      systemId: null,
      scopes: scopesOf('dashboard', { privileged: true }),
    });
    await mintApiKey(transaction, {
      name: 'Probe in the clinic',
      kind: 'probe',
      systemId,
      scopes: ['ingest'],
    });
  });
}
