import { commentLimits } from '../../contract/dashboard/finding-limits.ts';
import type { FindingComment, FindingPerson } from '../../contract/dashboard/finding-work.ts';
import { mentionedIn } from '../../contract/mentions.ts';
import { idsOf } from '../../database/page.ts';
import type { TenantSession, TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { nameOfPerson } from '../people/person-name.ts';
import { assertAll } from './triage.ts';

/** Invisible characters that change the order in which text is shown: a comment could look like another one. */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;

const mentioned = `coalesce((select json_agg(json_build_object('id', m.person_id, 'name', coalesce(m.former_name, p.name))
    order by m.person_id) from finding_mentions n join memberships m on m.person_id = n.person_id join people p on p.id = m.person_id
  where n.comment_id = c.id), '[]')`;

/** SQL of comments `c` as the contract has them; `$1` is the person who reads them. */
const columns = `c.id, json_build_object('id', c.author_id, 'name', ${nameOfPerson('m.person_id = c.author_id')}) as author, c.body,
  ${mentioned} as mentions, c.author_id = $1 as mine, c.created_at, c.edited_at`;

/** Comments of a finding, newest first. */
export function listComments(
  session: TenantSession,
  findingId: string,
  personId: string,
): Promise<FindingComment[]> {
  return session.query<FindingComment>({
    text: `select ${columns} from finding_comments c where c.finding_id = $2 order by c.created_at desc, c.id desc limit $3`,
    values: [personId, findingId, commentLimits.ofFinding],
  });
}

/**
 * Adds the comment to each finding, all or none. Throws `not_found` like `decide`, `too_many_comments`, `too_many_mentions` and
 * `mention_not_member`.
 */
export async function commentOnFindings(
  transaction: TenantTransaction,
  authorId: string,
  ids: readonly string[],
  text: string,
): Promise<void> {
  const body = textOf(text);
  const people = mentionsOf(body);
  await holdMembers(transaction, people, authorId);
  const known = await transaction.query<{ id: string; comments: number }>({
    text: `select f.id, (select count(*) from finding_comments c where c.finding_id = f.id)::int as comments from findings f
      where f.id = any($1)`,
    values: [ids],
  });
  assertAll(ids, known);
  if (known.some(({ comments }) => comments >= commentLimits.ofFinding))
    throw new Refusal('too_many_comments');
  const added = await transaction.query<{ id: string; finding_id: string }>({
    text: `insert into finding_comments (finding_id, author_id, body) select id, $2, $3 from unnest($1::uuid[]) as id
      returning id, finding_id`,
    values: [ids, authorId, body],
  });
  await mention(transaction, idsOf(added), people);
  transaction.audit(
    ...added.map(({ id, finding_id }) => ({
      action: 'finding.commented',
      objectKind: 'finding',
      objectId: finding_id,
      detail: { comment: id },
    })),
  );
}

/** Undefined if the person has no such comment. Throws like `commentOnFindings`; people who were mentioned before may have left. */
export async function changeComment(
  transaction: TenantTransaction,
  authorId: string,
  id: string,
  text: string,
): Promise<FindingComment | undefined> {
  const body = textOf(text);
  const people = mentionsOf(body);
  const [changed] = await transaction.query<{ finding_id: string }>({
    text: `update finding_comments set body = $3, edited_at = now() where id = $2 and author_id = $1 returning finding_id`,
    values: [authorId, id, body],
  });
  if (!changed) return undefined;
  const before = await transaction.query<{ person_id: string }>({
    text: 'select person_id from finding_mentions where comment_id = $1',
    values: [id],
  });
  const added = people.filter(person => !before.some(({ person_id }) => person_id === person));
  await holdMembers(transaction, added);
  await transaction.query({
    text: 'delete from finding_mentions where comment_id = $1 and not person_id = any($2)',
    values: [id, people],
  });
  await mention(transaction, [id], added);
  auditComment(transaction, 'finding.comment_edited', changed.finding_id, id);
  const [comment] = await transaction.query<FindingComment>({
    text: `select ${columns} from finding_comments c where c.id = $2`,
    values: [authorId, id],
  });
  return comment;
}

/** False if the person has no such comment. */
export async function deleteComment(
  transaction: TenantTransaction,
  authorId: string,
  id: string,
): Promise<boolean> {
  const [deleted] = await transaction.query<{ finding_id: string }>({
    text: 'delete from finding_comments where id = $2 and author_id = $1 returning finding_id',
    values: [authorId, id],
  });
  if (!deleted) return false;
  auditComment(transaction, 'finding.comment_deleted', deleted.finding_id, id);
  return true;
}

/** Members, by name. */
export function listFindingPeople(session: TenantSession): Promise<FindingPerson[]> {
  return session.query<FindingPerson>({
    text: `select p.id, p.name from memberships m join people p on p.id = m.person_id where m.left_at is null
      order by lower(p.name), p.id`,
  });
}

/** Throws `invalid_body` if only invisible characters were sent. */
function textOf(text: string): string {
  const body = text.replaceAll(reordering, '').trim();
  if (body === '')
    throw new Refusal('invalid_body', { fields: [{ path: 'body', message: 'must not be blank' }] });
  return body;
}

function mentionsOf(body: string): string[] {
  const people = mentionedIn(body);
  if (people.length > commentLimits.mentions) throw new Refusal('too_many_mentions');
  return people;
}

/**
 * Throws `mention_not_member`. The rows of all people whom the comment refers to are locked in the order in which removals lock them: two
 * transactions could wait for each other otherwise.
 */
async function holdMembers(
  transaction: TenantTransaction,
  people: readonly string[],
  ...others: readonly string[]
): Promise<void> {
  const members = await transaction.query<{ id: string; belongs: boolean }>({
    text: `select person_id as id, left_at is null as belongs from memberships where person_id = any($1)
      order by person_id for key share`,
    values: [[...people, ...others]],
  });
  const current = new Set(members.filter(({ belongs }) => belongs).map(({ id }) => id));
  if (people.some(person => !current.has(person))) throw new Refusal('mention_not_member');
}

async function mention(
  transaction: TenantTransaction,
  comments: readonly string[],
  people: readonly string[],
) {
  if (people.length === 0) return;
  await transaction.query({
    text: `insert into finding_mentions (comment_id, person_id) select comment, person from unnest($1::uuid[]) as comment
      cross join unnest($2::uuid[]) as person`,
    values: [comments, people],
  });
}

function auditComment(transaction: TenantTransaction, action: string, findingId: string, id: string): void {
  transaction.audit({ action, objectKind: 'finding', objectId: findingId, detail: { comment: id } });
}
