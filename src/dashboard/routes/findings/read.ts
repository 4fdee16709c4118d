import { FindingDetailEnvelope } from '../../../contract/dashboard/findings.ts';
import { describeVerification } from '../../../domain/verification.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { findFindingDetail } from '../../../resources/findings/finding-detail.ts';
import { checkIndex } from '../../check-index.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

export function readFindingRoute(app: App, services: DashboardServices): void {
  const checks = checkIndex(services.detectors);
  const schema = { params: IdParams, response: { 200: FindingDetailEnvelope } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/findings/:id`, { config, schema }, async request => {
    const stored = found(await findFindingDetail(request.store, objectId(request.params), request.person.id));
    const { verifying_scan, domain_proven: proven, ...finding } = stored;
    const check = checks.get(finding.category);
    const verification = describeVerification(
      stored.source,
      finding.category,
      services.privilegedConnections,
      { depth: services.depthOfFinding(finding.category, finding.locator), proven },
    );
    return {
      finding: {
        ...finding,
        check: check
          ? {
              why: check.why,
              remediation: check.remediation,
              references: [...check.references],
              safeguards: [...check.safeguards],
            }
          : null,
        verification: { needs_proof: false, ...verification, scan_id: verifying_scan },
      },
    };
  });
}
