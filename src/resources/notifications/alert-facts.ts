import { kindsOf, type NoticeKind } from '../../contract/dashboard/notifications.ts';
import type { FindingView } from '../../contract/dashboard/views.ts';
import type { Severity } from '../../contract/severity.ts';
import { anyOf } from '../../database/expressions.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import type { AlertFacts, FindingFact, FindingGroup } from '../../domain/notification-facts.ts';
import { conditionsOf, matches, ownFilters, severityRank } from '../findings/finding-conditions.ts';
import { readChoices } from './choices.ts';
import { readEvents } from './event-facts.ts';
import type { Recipient } from './outbox.ts';
import { readAssigned, readMentions, readOverdue } from './work-facts.ts';

/** Findings of an alert that are read, most severe first, and those that are listed of each source or view. */
const mostFindings = 10_000;
/** Other events of one kind. */
const mostOfKind = 200;
const listedOfGroup = 10;

interface AlertedFinding extends FindingFact {
  readonly source_id: string;
  readonly source: string;
  readonly system: string;
}

interface AlertNotice {
  readonly kind: NoticeKind;
  readonly object_id: string | null;
  readonly day: string;
}

/**
 * What an alert to a person or channel says: of the findings that opened, those that are still open and that the recipient wants, and what
 * else is still so.
 */
export async function readAlertFacts(
  session: TenantSession,
  { id, person, channel }: Recipient & { readonly id: string },
): Promise<AlertFacts> {
  const choice = await readChoices(session, { person, channel });
  const kinds = person ? choice.kinds.filter(kind => kindsOf(person.role).includes(kind)) : choice.kinds;
  const notices = await readNotices(session, id, [...kinds, 'new_findings']);
  const has = (kind: NoticeKind) => notices.some(notice => notice.kind === kind);
  const findings = has('new_findings') ? await openedFindings(session, id) : [];
  const wanted = choice.kinds.includes('new_findings') ? severityRank(choice.severity) : null;
  const [sources, listed] = ofSources(
    wanted === null ? [] : findings.filter(one => severityRank(one.severity) >= wanted),
  );
  const views = person
    ? await ofViews(
        session,
        person.id,
        findings.filter(one => !listed.has(one.id)),
      )
    : [];
  for (const view of views) for (const { id } of view.all) listed.add(id);
  const days = notices.flatMap(({ kind, day }) => (kind === 'overdue' ? [day] : []));
  const commentIds = notices.flatMap(({ kind, object_id }) =>
    kind === 'mentioned' && object_id !== null ? [object_id] : [],
  );
  const mentions = person && commentIds.length > 0 ? await readMentions(session, commentIds, person.id) : [];
  return {
    sources,
    views: views.map(({ all: _, ...view }) => view),
    assigned: person && has('assigned') ? await readAssigned(session, id, person.id) : null,
    overdue: days.length === 0 ? null : await readOverdue(session, days, person?.id ?? null),
    events: [...mentions, ...(await readEvents(session, notices))],
    counts: countsOf(findings.filter(one => listed.has(one.id))),
  };
}

/** Findings that opened or reopened in the transactions of the message’s notices, and are still open. */
async function openedFindings(session: TenantSession, messageId: string): Promise<AlertedFinding[]> {
  return session.query<AlertedFinding>({
    text: `select f.id, f.severity, f.title, f.category, f.locator, f.source_id, s.name as source, y.name as system
      from findings f join sources s on s.id = f.source_id join systems y on y.id = f.system_id
      where f.status = 'open' and f.id = any(array(
        select e.finding_id from outbox_notices l join notices n on n.id = l.notice_id and n.kind = 'new_findings'
          join finding_episodes e on e.opened_at = n.created_at and e.opened_by_scan = n.object_id
        where l.message_id = $1))
      order by f.severity_rank desc, f.title, f.id limit ${mostFindings}`,
    values: [messageId],
  });
}

/** Of each kind by itself: many of one kind do not hide another. */
async function readNotices(session: TenantSession, messageId: string, kinds: readonly NoticeKind[]) {
  return session.query<AlertNotice>({
    text: `select kind, object_id, day from (
        select n.kind, n.object_id, n.created_at, coalesce(substring(n.once from '^overdue (.*)$'), '') as day,
          row_number() over (partition by n.kind order by n.created_at desc) as place
        from outbox_notices l join notices n on n.id = l.notice_id where l.message_id = $1 and n.kind = any($2)) as found
      where place <= ${mostOfKind} order by created_at`,
    values: [messageId, kinds],
  });
}

function ofSources(findings: readonly AlertedFinding[]): [FindingGroup[], Set<string>] {
  const groups = new Map<string, AlertedFinding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.source_id);
    if (group) group.push(finding);
    else groups.set(finding.source_id, [finding]);
  }
  const sources = [...groups.values()].map(group => ({
    id: group[0]!.source_id,
    name: group[0]!.source,
    system: group[0]!.system,
    query: { source_id: group[0]!.source_id, status: 'open' },
    total: group.length,
    listed: group.slice(0, listedOfGroup),
  }));
  return [sources, new Set(findings.map(({ id }) => id))];
}

/** New findings in the views that the person follows. */
async function ofViews(session: TenantSession, personId: string, findings: readonly AlertedFinding[]) {
  if (findings.length === 0) return [];
  const views = await session.query<Pick<FindingView, 'id' | 'name' | 'filters'>>({
    text: `select v.id, v.name, v.filters from view_alerts a join finding_views v on v.id = a.view_id
      where a.person_id = $1 and (v.person_id = $1 or v.shared) order by lower(v.name), v.id limit 20`,
    values: [personId],
  });
  const groups: (FindingGroup & { readonly all: readonly AlertedFinding[] })[] = [];
  for (const { id, name, filters } of views) {
    const { order: _, ...chosen } = filters;
    const conditions = await conditionsOf(session, ownFilters(personId, chosen));
    const rows = await session.query(
      db
        .selectFrom('findings')
        .select('id')
        .where('id', '=', anyOf(findings.map(finding => finding.id)))
        .where(eb => matches(eb, conditions)),
    );
    const matching = new Set(rows.map(row => row.id));
    const all = findings.filter(finding => matching.has(finding.id));
    if (all.length === 0) continue;
    const query = Object.fromEntries(Object.entries(filters).map(([key, value]) => [key, String(value)]));
    groups.push({ id, name, query, total: all.length, listed: all.slice(0, listedOfGroup), all });
  }
  return groups;
}

/** The findings by severity. */
export function countsOf(findings: readonly FindingFact[]): AlertFacts['counts'] {
  const counts: Partial<Record<Severity, number>> = {};
  for (const { severity } of findings) counts[severity] = (counts[severity] ?? 0) + 1;
  return counts;
}
