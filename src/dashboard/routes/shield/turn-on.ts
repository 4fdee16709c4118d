import { ShieldSwitch } from '../../../contract/dashboard/shield.ts';
import { closed } from '../../../contract/values.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { turnShieldOn } from '../../../resources/shield/shields.ts';
import { lockSource } from '../../../resources/sources/sources.ts';
import { organizationPath } from '../../organization-path.ts';

export function turnShieldOnRoute(app: App): void {
  const schema = { params: IdParams, body: closed({}), response: { 200: ShieldSwitch } };
  const config = { access: 'admin', stepUp: true } as const;
  app.put(`${organizationPath}/sources/:id/shield`, { config, schema }, async request => {
    const id = objectId(request.params);
    await request.store.transaction(async transaction =>
      turnShieldOn(transaction, found(await lockSource(transaction, id))),
    );
    return { shield: { on: true } };
  });
}
