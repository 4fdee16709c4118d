import { ControlDetail } from '../../../contract/dashboard/controls.ts';
import { found } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { readControl } from '../../controls/detail.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';
import { ControlParams } from './params.ts';

export function readControlRoute(app: App, { detectors }: DashboardServices): void {
  const config = { access: 'member' } as const;
  const schema = { params: ControlParams, response: { 200: ControlDetail } };
  app.get(`${organizationPath}/controls/:control`, { config, schema }, async request =>
    found(await request.store.read(session => readControl(session, detectors, request.params.control))),
  );
}
