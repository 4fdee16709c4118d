import { captureWith } from '../../src/detectors/postgres/hardened-capture.ts';
import { currentRiskStatement } from '../../src/domain/risk-statements.ts';
import type { DashboardClient } from '../../test/support/dashboard-client.ts';
import { poll } from '../../test/support/poll.ts';
import { assessment, eventOf, heartbeat, path, reportsOn } from '../../test/support/probe-events.ts';
import { call } from '../../test/support/signing-client.ts';
import type { Post } from './sample-organization.ts';
import type { SampleService } from './sample-service.ts';

interface Place {
  readonly api: (path: string) => string;
  readonly client: DashboardClient;
  readonly systemId: string;
}

/** Adds a probe, which reports on a database and saw another one. */
export async function reportByProbe(
  service: SampleService,
  post: Post,
  { api, client, systemId }: Place,
): Promise<void> {
  const { key, sources } = await post(`/systems/${systemId}/probes`, {
    name: 'office',
    sources: [],
    new_sources: [{ kind: 'postgres', name: 'Staff records', host: 'db.internal' }],
    statement_versions: { postgres: currentRiskStatement('postgres').version },
  });
  const id = sources[0].id as string;
  const capture = captureWith({ changed: { data_checksums: 'off', fsync: 'off' } });
  const events = [
    assessment(id, reportsOn(capture)),
    eventOf('probe.drift', {
      source_id: id,
      since: new Date(Date.now() - 3_600_000).toISOString(),
      changes: [
        { area: 'setting', name: 'fsync', change: 'changed' },
        { area: 'role', name: 'reporting', change: 'added' },
        { area: 'grant', name: 'SELECT on public.staff to reporting', change: 'added' },
      ],
      more: 0,
    }),
    eventOf('probe.inventory', {
      seen: [{ kind: 'mysql', host: '10.4.0.12', via: 'listening_socket' }],
    }),
    heartbeat(id),
  ];
  const { status, text } = await call(service.url, key, 'POST', path, { events });
  if (status !== 202) throw new Error(`the probe: ${status} ${text}`);
  await poll('the reports of the probe', async () => {
    const { json } = await client.get(api('/probes'));
    return json.probes[0]?.targets.ok === 1 || undefined;
  });
}
