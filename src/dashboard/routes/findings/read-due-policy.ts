import { DuePolicyState } from '../../../contract/dashboard/finding-work.ts';
import { closed } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import { readDuePolicy } from '../../../resources/findings/due-policy.ts';
import { organizationPath } from '../../organization-path.ts';

export function readDuePolicyRoute(app: App): void {
  const schema = { querystring: closed({}), response: { 200: DuePolicyState } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/findings/due-policy`, { config, schema }, request =>
    request.store.read(session => readDuePolicy(session, request.person.id)),
  );
}
