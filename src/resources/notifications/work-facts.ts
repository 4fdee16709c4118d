import { commentParts } from '../../contract/mentions.ts';
import { countOfAll } from '../../database/expressions.ts';
import { db } from '../../database/query-builder.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import type { EventFact, FindingFact, FindingList } from '../../domain/notification-facts.ts';
import { overdueSince, readDueTerms } from '../findings/due-dates.ts';
import { matchingFindings } from '../findings/finding-conditions.ts';
import { nameOfPerson } from '../people/person-name.ts';

const mostListed = 10;
const excerptLength = 200;

/** Findings of the message’s notices that are still the person’s and open. */
export async function readAssigned(
  session: TenantSession,
  messageId: string,
  personId: string,
): Promise<FindingList | null> {
  const rows = await session.query<FindingFact & { total: number }>({
    text: `select f.id, f.severity, f.title, f.category, f.locator, s.name as source, (count(*) over ())::int as total
      from findings f join sources s on s.id = f.source_id
      where f.owner_id = $2 and f.status = 'open' and f.id = any(array(
        select n.object_id from outbox_notices l join notices n on n.id = l.notice_id and n.kind = 'assigned' where l.message_id = $1))
      order by f.severity_rank desc, f.title, f.id limit ${mostListed}`,
    values: [messageId, personId],
  });
  return listOf(rows, { owner: 'me' });
}

/**
 * Findings that became overdue on these days and still are.
 *
 * @param personId a person gets those of their own, and those without an owner; a channel all
 */
export async function readOverdue(
  session: TenantSession,
  days: readonly string[],
  personId: string | null,
): Promise<FindingList | null> {
  const terms = await readDueTerms(session);
  const sorted = [...days].sort();
  const due = overdueSince(terms, sorted[0]!, sorted.at(-1)!);
  const rows = await session.query(
    db
      .selectFrom('findings as f')
      .innerJoin('sources as s', 's.id', 'f.source_id')
      .select([
        'f.id',
        'f.severity',
        'f.title',
        'f.category',
        'f.locator',
        's.name as source',
        countOfAll.as('total'),
      ])
      .where('f.id', 'in', matchingFindings({ due }, ['id']))
      .where(({ eb, or, and }) =>
        personId === null ? and([]) : or([eb('f.owner_id', '=', personId), eb('f.owner_id', 'is', null)]),
      )
      .orderBy('f.severity_rank', 'desc')
      .orderBy('f.title')
      .orderBy('f.id')
      .limit(mostListed),
  );
  return listOf(rows, { due: 'overdue' });
}

function listOf(
  rows: readonly (FindingFact & { readonly total: number })[],
  query: FindingList['query'],
): FindingList | null {
  const [first] = rows;
  if (!first) return null;
  return {
    query,
    total: first.total,
    listed: rows.map(({ total: _, ...finding }) => finding),
  };
}

/** Comments that still mention the person. */
export async function readMentions(
  session: TenantSession,
  commentIds: readonly string[],
  personId: string,
): Promise<EventFact[]> {
  const rows = await session.query<{ id: string; title: string; author: string | null; body: string }>({
    text: `select f.id, f.title, ${nameOfPerson('m.person_id = c.author_id')} as author, c.body
      from finding_comments c join finding_mentions n on n.comment_id = c.id and n.person_id = $2 join findings f on f.id = c.finding_id
      where c.id = any($1::uuid[]) order by c.created_at, c.id limit 100`,
    values: [commentIds, personId],
  });
  return rows.map(({ id, title, author, body }) => ({
    kind: 'mentioned',
    author: author ?? 'A former member',
    finding: { id, title },
    excerpt: excerptOf(body),
  }));
}

/** The beginning of a comment, without the ids of those whom it mentions. */
function excerptOf(body: string): string {
  const text = commentParts(body.slice(0, 4 * excerptLength))
    .map(part => (part.kind === 'mention' ? '@…' : part.text))
    .join('');
  return text.slice(0, excerptLength);
}
