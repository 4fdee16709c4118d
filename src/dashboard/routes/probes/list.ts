import { ListProbes, ProbePage } from '../../../contract/dashboard/probes.ts';
import type { App } from '../../../http/app.ts';
import { listProbeRows } from '../../../resources/probes/probe-list.ts';
import { organizationPath } from '../../organization-path.ts';

export function listProbesRoute(app: App): void {
  const schema = { querystring: ListProbes, response: { 200: ProbePage } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/probes`, { config, schema }, request =>
    listProbeRows(request.store, request.query),
  );
}
