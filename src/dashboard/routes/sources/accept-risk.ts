import { AcceptedRisk } from '../../../contract/sources.ts';
import { closed, text } from '../../../contract/values.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { acceptCurrentRisk } from '../../../resources/sources/connect-source.ts';
import { lockSource } from '../../../resources/sources/sources.ts';
import { organizationPath } from '../../organization-path.ts';

/** Accepts the risk statement. People always name the version that they have read. */
export function acceptRiskRoute(app: App): void {
  const body = closed({ statement_version: text(32) });
  const schema = { params: IdParams, body, response: { 200: AcceptedRisk } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/sources/:id/risk-accept`, { config, schema }, request => {
    const id = objectId(request.params);
    const { statement_version } = request.body;
    return request.store.transaction(async transaction =>
      acceptCurrentRisk(transaction, found(await lockSource(transaction, id)), statement_version),
    );
  });
}
