import { RiskStatements } from '../../../contract/dashboard/probes.ts';
import { sourceKinds } from '../../../contract/sources.ts';
import { currentRiskStatement } from '../../../domain/risk-statements.ts';
import type { App } from '../../../http/app.ts';
import { organizationPath } from '../../organization-path.ts';

/** The statements to read before a probe is added. */
export function readRiskStatementsRoute(app: App): void {
  const schema = { response: { 200: RiskStatements } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/risk-statements`, { config, schema }, async () => ({
    risk_statements: sourceKinds.map(kind => ({ kind, ...currentRiskStatement(kind) })),
  }));
}
