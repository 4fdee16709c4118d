import { EventRetention } from '../../../contract/dashboard/events.ts';
import type { App } from '../../../http/app.ts';
import { readEventRetention } from '../../../resources/events/retention.ts';
import { organizationPath } from '../../organization-path.ts';

export function readEventRetentionRoute(app: App): void {
  const config = { access: 'admin' } as const;
  const schema = { response: { 200: EventRetention } };
  app.get(`${organizationPath}/events/retention`, { config, schema }, request =>
    request.store.read(readEventRetention),
  );
}
