import { SourceDetailEnvelope } from '../../../contract/dashboard/sources.ts';
import { currentRiskStatement } from '../../../domain/risk-statements.ts';
import { credentialTypesOf, isPrivileged } from '../../../domain/source-states.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { findSourceDetail } from '../../../resources/sources/source-detail.ts';
import { checkIndex } from '../../check-index.ts';
import { describeProof } from '../../domain-proof.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

export function readSourceRoute(app: App, services: DashboardServices): void {
  const checks = checkIndex(services.detectors);
  const schema = { params: IdParams, response: { 200: SourceDetailEnvelope } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/sources/:id`, { config, schema }, async request => {
    const stored = found(await findSourceDetail(request.store, objectId(request.params), services));
    const { source } = stored;
    const isProbe = source.connection_mode === 'probe';
    const types = isProbe ? [] : [...credentialTypesOf(source.kind)];
    return {
      source: {
        ...source,
        risk_statement: currentRiskStatement(source.kind),
        risk_accepted: stored.riskAccepted,
        credential: {
          types,
          stored: stored.credential,
          allowed: services.privilegedConnections || !isPrivileged(source.kind),
        },
        nothing_assessed: stored.nothingAssessed,
        failed_test: stored.failedTest,
        watch: stored.watch,
        report: stored.report,
        dropped: stored.dropped,
        domain_proof: isProbe ? null : describeProof(source, stored.proof, services),
        assessments: stored.assessments.map(assessment => ({
          ...assessment,
          title: checks.get(assessment.check)?.title ?? null,
        })),
      },
    };
  });
}
