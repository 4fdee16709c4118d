import {
  type TriageDecision,
  TriagedFindings,
  TriageFindings,
} from '../../../contract/dashboard/findings.ts';
import type { App } from '../../../http/app.ts';
import { type Decision, decide } from '../../../resources/findings/triage.ts';
import type { ChangeLimit } from '../../../resources/people/change-counts.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

const ofPerson: ChangeLimit = { name: 'triage of person', most: 10_000, seconds: 3_600 };
const ofOrganization: ChangeLimit = { name: 'triage in organization', most: 20_000, seconds: 3_600 };

/**
 * Triages one or more findings, all or none. Decisions are permanent, with their reason and an audit entry, so the number of
 * findings is limited per person, and per organization so that many admins cannot exceed it.
 */
export function triageFindingsRoute(app: App, { storage }: Pick<DashboardServices, 'storage'>): void {
  const schema = { body: TriageFindings, response: { 200: TriagedFindings } };
  const config = { access: 'admin', stepUp: true } as const;
  app.post(`${organizationPath}/findings/triage`, { config, schema }, async request => {
    const ids = [...new Set(request.body.ids.map(id => id.toLowerCase()))];
    const decision = decisionOf(request.body.decision);
    const { person, store } = request;
    await storage.lookups.countChanges(person.id, ofPerson, person.id, ids.length);
    await storage.lookups.countChanges(person.id, ofOrganization, store.organizationId, ids.length);
    const findings = await request.store.transaction(transaction => decide(transaction, ids, decision));
    return { findings };
  });
}

function decisionOf(given: TriageDecision): Decision {
  return given.decision === 'accepted' ? { ...given, until: new Date(given.until) } : given;
}
