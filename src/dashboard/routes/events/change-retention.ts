import { EventRetention } from '../../../contract/dashboard/events.ts';
import type { App } from '../../../http/app.ts';
import { changeEventRetention } from '../../../resources/events/retention.ts';
import { organizationPath } from '../../organization-path.ts';

export function changeEventRetentionRoute(app: App): void {
  const config = { access: 'admin', stepUp: true } as const;
  const schema = { body: EventRetention, response: { 200: EventRetention } };
  app.put(`${organizationPath}/events/retention`, { config, schema }, request =>
    request.store.transaction(transaction => changeEventRetention(transaction, request.body)),
  );
}
