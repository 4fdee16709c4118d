import { ControlMatrix } from '../../../contract/dashboard/controls.ts';
import { closed } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import { readMatrix } from '../../controls/matrix.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

export function listControlsRoute(app: App, { detectors }: DashboardServices): void {
  const config = { access: 'member' } as const;
  const schema = { querystring: closed({}), response: { 200: ControlMatrix } };
  app.get(`${organizationPath}/controls`, { config, schema }, request =>
    request.store.read(session => readMatrix(session, detectors)),
  );
}
