import { DuePolicy, DuePolicyState } from '../../../contract/dashboard/finding-work.ts';
import type { App } from '../../../http/app.ts';
import { changeDuePolicy, readDuePolicy } from '../../../resources/findings/due-policy.ts';
import { organizationPath } from '../../organization-path.ts';

export function changeDuePolicyRoute(app: App): void {
  const schema = { body: DuePolicy, response: { 200: DuePolicyState } };
  const config = { access: 'admin', stepUp: true } as const;
  app.put(`${organizationPath}/findings/due-policy`, { config, schema }, request =>
    request.store.transaction(async transaction => {
      await changeDuePolicy(transaction, request.body);
      return readDuePolicy(transaction, request.person.id);
    }),
  );
}
