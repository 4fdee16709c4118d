import type pg from 'pg';
import { type Actor, auditStatement } from '../../database/audit.ts';
import { queryConfig } from '../../database/connection.ts';
import { sessionOn, type TenantStore } from '../../database/tenant-store.ts';
import { ownerTransaction } from '../../database/with-owner.ts';
import { endChanges } from '../people/changes-in-progress.ts';
import { cancelScan } from '../scans/stop-scans.ts';

/** What closing ended. */
export interface ClosedOrganization {
  readonly keys: number;
  readonly people: number;
  readonly invitations: number;
}

/**
 * Marks the organization as deleted, and ends its keys, memberships and invitations, in one transaction. From then on no request is
 * admitted, its people no longer see it, and workers find nothing in it that is due; its settings, such as Watch, stay for the export. Once closed,
 * undefined.
 *
 * @param owner of the database: no other role can mark an organization
 */
export function closeOrganization(
  owner: pg.ClientBase,
  id: string,
  actor: Actor,
): Promise<ClosedOrganization | undefined> {
  return ownerTransaction(owner, id, async () => {
    await freeze(owner, id);
    const count = async (text: string) => (await owner.query(text, [id])).rowCount ?? 0;
    const marked = await count(
      'update organizations set deleted_at = now() where id = $1 and deleted_at is null',
    );
    if (marked === 0) return undefined;
    const closed = {
      keys: await count(
        'update api_keys set revoked_at = now() where organization_id = $1 and revoked_at is null',
      ),
      people: await count(
        'update memberships set left_at = now() where organization_id = $1 and left_at is null',
      ),
      invitations: await count(
        `update invitations set revoked_at = now() where organization_id = $1
          and accepted_at is null and declined_at is null and revoked_at is null`,
      ),
    };
    const event = {
      action: 'organization.deleted',
      objectKind: 'organization',
      objectId: id,
      detail: { ...closed },
    };
    await owner.query(queryConfig(auditStatement(actor, [event])));
    return closed;
  });
}

/**
 * Waits until no member changes anything and no other transaction adds a key or a member, and lets none begin until the commit: it then finds its
 * permission gone. In the order in which others take these locks.
 */
async function freeze(owner: pg.ClientBase, id: string): Promise<void> {
  const session = sessionOn(owner);
  const { rows: members } = await owner.query<{ id: string }>(
    'select person_id as id from memberships where organization_id = $1 and left_at is null order by person_id',
    [id],
  );
  for (const member of members) await endChanges(session, member.id);
  await owner.query('select from invitations where organization_id = $1 order by id for update', [id]);
  await owner.query('select from organizations where id = $1 for update', [id]);
}

/** Cancels unfinished scans. Their workers stop within a second. Returns their number. */
export async function stopScans(store: TenantStore): Promise<number> {
  const unfinished = await store.queryOnce<{ id: string }>({
    text: 'select id from scans where finished_at is null order by created_at, id',
  });
  for (const { id } of unfinished) await store.transaction(transaction => cancelScan(transaction, id));
  return unfinished.length;
}
