import { ReadShield, ShieldDetailEnvelope, type ShieldPeriod } from '../../../contract/dashboard/shield.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { findShieldDetail } from '../../../resources/shield/shield-detail.ts';
import { organizationPath } from '../../organization-path.ts';

export function readShieldRoute(app: App): void {
  const schema = { params: IdParams, querystring: ReadShield, response: { 200: ShieldDetailEnvelope } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/sources/:id/shield`, { config, schema }, async request => {
    const days = Number(request.query.days) as ShieldPeriod;
    return { shield: found(await findShieldDetail(request.store, objectId(request.params), days)) };
  });
}
