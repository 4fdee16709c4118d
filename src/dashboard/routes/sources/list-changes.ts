import { ListSourceChanges, SourceChangePage } from '../../../contract/dashboard/probes.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { listSourceChanges } from '../../../resources/probes/probe-list.ts';
import { findSource } from '../../../resources/sources/sources.ts';
import { organizationPath } from '../../organization-path.ts';

/** What changed in a source between assessments by a probe, newest first. */
export function listSourceChangesRoute(app: App): void {
  const schema = { params: IdParams, querystring: ListSourceChanges, response: { 200: SourceChangePage } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/sources/:id/changes`, { config, schema }, async request => {
    const id = objectId(request.params);
    found(await request.store.read(session => findSource(session, id)));
    return listSourceChanges(request.store, id, request.query);
  });
}
