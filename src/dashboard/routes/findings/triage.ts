import {
  type TriageDecision,
  TriagedFindings,
  TriageFindings,
} from '../../../contract/dashboard/findings.ts';
import type { Api } from '../../../http/api.ts';
import { type Decision, decide } from '../../../storage/triage.ts';
import { organizationPath } from '../../organization-path.ts';

/** One decision about one finding or many: all of them, or none. */
export function triageFindingsRoute(app: Api): void {
  const schema = { body: TriageFindings, response: { 200: TriagedFindings } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/findings/triage`, { config, schema }, async request => {
    const ids = [...new Set(request.body.ids.map(id => id.toLowerCase()))];
    const decision = decisionOf(request.body.decision);
    const findings = await request.store.transaction(transaction => decide(transaction, ids, decision));
    return { findings };
  });
}

function decisionOf(given: TriageDecision): Decision {
  return given.decision === 'accepted' ? { ...given, until: new Date(given.until) } : given;
}
