import { Type } from 'typebox';
import { AttestationEnvelope, WithdrawAttestation } from '../../../contract/dashboard/controls.ts';
import { found, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { withdraw } from '../../../resources/controls/attestations.ts';
import { organizationPath } from '../../organization-path.ts';
import { ControlParams, citationOf } from './params.ts';

export function withdrawAttestationRoute(app: App): void {
  const config = { access: 'admin', stepUp: true } as const;
  const params = Type.Object({ ...ControlParams.properties, id: Type.String() });
  const schema = { params, body: WithdrawAttestation, response: { 200: AttestationEnvelope } };
  const url = `${organizationPath}/controls/:control/attestations/:id/withdraw`;
  app.post(url, { config, schema }, async request => {
    const control = citationOf(request.params);
    const id = objectId(request.params);
    const attestation = await request.store.transaction(transaction =>
      withdraw(transaction, control, id, request.body.reason),
    );
    return { attestation: found(attestation) };
  });
}
