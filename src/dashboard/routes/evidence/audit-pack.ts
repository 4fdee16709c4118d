import { AuditPackQuery } from '../../../contract/dashboard/evidence.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { attachment } from '../../attachment.ts';
import { collectFacts } from '../../audit-pack/facts.ts';
import { streamPack } from '../../audit-pack/pack.ts';
import { setReport } from '../../audit-pack/set-report.ts';
import { organizationPath } from '../../organization-path.ts';
import { largeTransfers, turns } from '../../permits.ts';
import { sendFile } from '../../send-file.ts';
import type { DashboardServices } from '../../services.ts';

const packs = largeTransfers({ perOrganization: 1 });

/** Maximum reports that a node writes at once, since they use CPU time and memory. */
const reports = turns({ atOnce: 3, perOrganization: 1 });

/** Streams the audit pack of the period, and adds an audit entry. */
export function auditPackRoute(app: App, { storage, detectors, version }: DashboardServices): void {
  const config = { access: 'admin', stepUp: true } as const;
  const schema = { querystring: AuditPackQuery };
  app.get(`${organizationPath}/audit-pack`, { config, schema }, (request, reply) => {
    const period = request.query;
    refuseUnusable(period);
    const { store, organizationId, person } = request;
    const headers = attachment(`audit-pack-${period.from}-${period.until}.zip`, 'application/zip');
    return sendFile(request, reply, packs, headers, async applicant => {
      await store.transaction(async transaction =>
        transaction.audit({
          action: 'audit_pack.made',
          objectKind: 'organization',
          objectId: organizationId,
          detail: { ...period },
        }),
      );
      const facts = await collectFacts(store, detectors, period, person.name, applicant.signal);
      const onNoReport = (reason: string) => request.log.warn({ reason }, 'audit_pack.without_report');
      const writeReport = (signal: AbortSignal) =>
        reports.use({ holder: organizationId, signal }, () => setReport(facts, signal, onNoReport));
      return streamPack(facts, { store, ring: storage.keyRing, detectors, version, writeReport });
    });
  });
}

function refuseUnusable({ from, until }: AuditPackQuery): void {
  const refuse = (path: string, message: string) => {
    throw new Refusal('invalid_query', { fields: [{ path, message }] });
  };
  if (until < from) refuse('until', 'must not be before from');
  if (from > new Date().toISOString().slice(0, 10)) refuse('from', 'must not be in the future (in UTC)');
}
