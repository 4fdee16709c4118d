import type { AuditVerification } from '../contract/dashboard/audit.ts';
import type { Applicant } from '../domain/permits.ts';
import { verifyAuditChain } from '../storage/audit-chain.ts';
import type { TenantStore } from '../storage/tenant-store.ts';
import { turns } from './permits.ts';

/** A node has the database compute one piece at a time. */
const pieces = turns({ atOnce: 1, perOrganization: 1 });

/** Computes the whole audit log anew, of organizations by turns: a long log keeps nobody from having theirs computed. */
export function verifyChain(applicant: Applicant, store: TenantStore): Promise<AuditVerification> {
  return verifyAuditChain(store, piece => pieces.use(applicant, piece));
}
