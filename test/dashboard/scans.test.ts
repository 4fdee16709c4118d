import { expect, it } from 'vitest';
import { startScan } from '../../src/resources/scans/start-scan.ts';
import { processEvents } from '../../src/worker/tasks/process-events.ts';
import { authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { addPerson } from '../support/people.ts';
import { assessment, heartbeat, path as ingest } from '../support/probe-events.ts';
import { sharedService } from '../support/service.ts';
import { call } from '../support/signing-client.ts';

it('tells who reported an assessment, and of no requested scan', async () => {
  const service = await sharedService();
  const probed = await authorizedSource(service, { kind: 'postgres', connection_mode: 'probe' });
  const { organizationId, systemId, sourceId, store } = probed;
  const { client } = await addPerson(service, organizationId, 'member');
  const newest = async () => {
    const { scans } = (await client.get(`/organizations/${organizationId}/scans`)).json;
    const { json } = await client.get(`/organizations/${organizationId}/scans/${scans[0].id}`);
    expect(json.scan.reporter).toEqual(scans[0].reporter);
    return scans[0].reporter;
  };
  const key = await service.mint(organizationId, { kind: 'probe', systemId });
  const events = [heartbeat(sourceId), assessment(sourceId, [])];
  expect((await call(service.url, key, 'POST', ingest, { events })).json.rejected).toEqual([]);
  await processEvents({ storage: service.storage, log: () => {} });
  expect(await newest()).toEqual({ kind: 'probe', name: 'office', version: '1.0.0' });
  const own = (detectors: string[]) =>
    store.transaction(transaction =>
      startScan(transaction, { sourceId, detectors, startedAt: new Date().toISOString(), isOwn: true }),
    );
  await own(['shield.requests', 'shield.firewall']);
  expect(await newest()).toEqual({ kind: 'shield', name: null, version: null });
  await own(['probe.presence']);
  expect(await newest()).toEqual({ kind: 'service', name: null, version: null });

  const direct = await authorizedSource(service);
  await queuedScan(direct);
  const reader = await addPerson(service, direct.organizationId, 'member');
  const { json } = await reader.client.get(`/organizations/${direct.organizationId}/scans`);
  expect(json.scans[0].reporter).toBeNull();
});
