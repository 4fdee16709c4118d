import { beforeAll, expect, it } from 'vitest';
import { abandonScan } from '../../src/worker/tasks/abandon-scan.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
let source: AuthorizedSource;
beforeAll(async () => {
  service = await sharedService();
  source = await authorizedSource(service);
});

/** The scan after all tries of its job failed before it began. */
async function abandoned(job: { readonly sourceId?: string }) {
  const scanId = await queuedScan(source);
  const { organizationId, store } = source;
  const logged: string[] = [];
  const log = (event: string) => void logged.push(event);
  const services = { storage: service.storage, privilegedConnections: true, log };
  await abandonScan(services, { organizationId, scanId, ...job });
  expect(logged).toEqual(['scan.abandoned']);
  const [scan] = await store.queryOnce<{ status: string; verdict: string; causes: string[] }>({
    text: `select status, verdict, array(select distinct cause from scan_runs where scan_id = s.id) as causes
      from scans s where id = $1`,
    values: [scanId],
  });
  return scan;
}

it('fail with a cause if their source was never inspected', async () => {
  const { sourceId } = source;
  const failed = { status: 'failed', verdict: 'inconclusive', causes: ['retries_exhausted'] };
  expect(await abandoned({ sourceId })).toEqual(failed);
});

it('fail if they were never planned', async () => {
  expect(await abandoned({})).toEqual({ status: 'failed', verdict: 'inconclusive', causes: [] });
});
