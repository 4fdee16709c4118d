import { AttestationEnvelope, AttestControl } from '../../../contract/dashboard/controls.ts';
import type { App } from '../../../http/app.ts';
import { attest } from '../../../resources/controls/attestations.ts';
import { organizationPath } from '../../organization-path.ts';
import { ControlParams, citationOf } from './params.ts';

export function attestControlRoute(app: App): void {
  const config = { access: 'admin', stepUp: true } as const;
  const schema = { params: ControlParams, body: AttestControl, response: { 201: AttestationEnvelope } };
  const url = `${organizationPath}/controls/:control/attestations`;
  app.post(url, { config, schema }, async (request, reply) => {
    const control = citationOf(request.params);
    const attestation = await request.store.transaction(transaction =>
      attest(transaction, control, request.body),
    );
    return reply.code(201).send({ attestation });
  });
}
