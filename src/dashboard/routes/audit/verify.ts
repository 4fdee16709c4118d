import { AuditVerification } from '../../../contract/dashboard/audit.ts';
import { verifyAuditChain } from '../../../database/audit-chain.ts';
import type { App } from '../../../http/app.ts';
import { organizationPath } from '../../organization-path.ts';
import { applicantOf, largeTransfers } from '../../permits.ts';

/** Verifying a long chain takes a while. */
const verifications = largeTransfers({ perOrganization: 1 });

export function verifyAuditChainRoute(app: App): void {
  const config = { access: 'admin' } as const;
  const schema = { response: { 200: AuditVerification } };
  const url = `${organizationPath}/audit/verification`;
  app.get(url, { config, schema }, (request, reply) => {
    const applicant = applicantOf(request, reply);
    return verifications.use(applicant, () => verifyAuditChain(request.store, applicant.signal));
  });
}
