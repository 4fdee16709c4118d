import { Type } from 'typebox';
import { AttestationEnvelope, LinkEvidence } from '../../../contract/dashboard/controls.ts';
import { found, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { addEvidence } from '../../../resources/controls/attestations.ts';
import { organizationPath } from '../../organization-path.ts';
import { ControlParams, citationOf } from './params.ts';

export function linkEvidenceRoute(app: App): void {
  const config = { access: 'admin', stepUp: true } as const;
  const params = Type.Object({ ...ControlParams.properties, id: Type.String() });
  const schema = { params, body: LinkEvidence, response: { 200: AttestationEnvelope } };
  const url = `${organizationPath}/controls/:control/attestations/:id/evidence`;
  app.post(url, { config, schema }, async request => {
    const control = citationOf(request.params);
    const id = objectId(request.params);
    const attestation = await request.store.transaction(transaction =>
      addEvidence(transaction, control, id, request.body.evidence_ids),
    );
    return { attestation: found(attestation) };
  });
}
