import type { NotifiedSeverity } from '../../contract/dashboard/notifications.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import type { AlertFacts, FindingFact } from '../../domain/notification-facts.ts';
import { severityRank } from '../findings/finding-conditions.ts';
import { countsOf } from './alert-facts.ts';

const most = 3;

/** An alert as it could be: the newest open findings of at least this severity or, without any, an example. */
export async function readSampleAlert(
  session: TenantSession,
  severity: NotifiedSeverity,
): Promise<AlertFacts> {
  const findings = await session.query<FindingFact & { source_id: string; source: string; system: string }>({
    text: `select f.id, f.severity, f.title, f.category, f.locator, f.source_id, s.name as source, y.name as system
      from findings f join sources s on s.id = f.source_id join systems y on y.id = f.system_id
      where f.status = 'open' and f.severity_rank >= $1 order by f.created_at desc, f.id desc limit ${most}`,
    values: [severityRank(severity)],
  });
  const [first = example] = findings;
  const ofFirst = findings.filter(one => one.source_id === first.source_id);
  const listed = ofFirst.length > 0 ? ofFirst : [example];
  const { source_id: id, source: name, system } = first;
  return {
    sources: [{ id, name, system, query: { source_id: id, status: 'open' }, total: listed.length, listed }],
    views: [],
    assigned: null,
    overdue: null,
    events: [],
    counts: countsOf(listed),
  };
}

const nil = '00000000-0000-0000-0000-000000000000';
const example = {
  id: nil,
  severity: 'critical',
  title: 'Example: a private file is public',
  category: 'exposure.env_file',
  locator: 'https://portal.example.com/.env',
  source_id: nil,
  source: 'Portal',
  system: 'Patient portal',
} as const;
