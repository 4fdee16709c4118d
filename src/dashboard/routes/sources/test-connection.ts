import { SourceTest } from '../../../contract/dashboard/sources.ts';
import { closed } from '../../../contract/values.ts';
import { describeCause } from '../../../domain/scan-causes.ts';
import { IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { testSource } from '../../../resources/sources/connect-source.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

/** A passed test does not authorize scans. */
export function testConnectionRoute(app: App, services: DashboardServices): void {
  const schema = { params: IdParams, body: closed({}), response: { 200: SourceTest } };
  const config = {
    access: 'admin',
    stepUp: { notNeeded: 'Connects once to a source with an accepted risk, and authorizes nothing.' },
  } as const;
  app.post(`${organizationPath}/sources/:id/test`, { config, schema }, async request => {
    const tester = { ...services, vault: services.storage.vault };
    const { source, test } = await testSource(request.store, objectId(request.params), tester);
    const { error_code = null } = test;
    return {
      test: {
        ...test,
        error_code,
        error: error_code && describeCause(error_code, source.connection_mode, source.kind),
      },
    };
  });
}
