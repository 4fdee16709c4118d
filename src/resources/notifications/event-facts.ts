import type { NoticeKind } from '../../contract/dashboard/notifications.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import type { EventFact, Named } from '../../domain/notification-facts.ts';

interface Happened {
  readonly kind: NoticeKind;
  readonly object_id: string | null;
}

type Read = (session: TenantSession, ids: readonly string[]) => Promise<readonly EventFact[]>;

/** What is still so of the things with these ids, by kind of notice. */
const readers: Readonly<Partial<Record<NoticeKind, Read>>> = {
  scan_failed: async (session, ids) => {
    const rows = await session.query<{ scan: string; target: string; cause: string | null }>({
      text: `select c.id as scan, coalesce(s.name, y.name, '') as target, (
          select cause from scan_runs r where r.scan_id = c.id and r.status = 'failed' and cause is not null limit 1) as cause
        from scans c left join sources s on s.id = c.source_id left join systems y on y.id = c.system_id
        where c.id = any($1::uuid[]) order by c.finished_at, c.id`,
      values: [ids],
    });
    return rows.map(row => ({ kind: 'scan_failed', ...row }));
  },
  source_failing: async (session, ids) => {
    const rows = await session.query<Named>({
      text: `select id, name from sources where id = any($1::uuid[]) and status = 'failing' order by lower(name), id`,
      values: [ids],
    });
    return rows.map(source => ({ kind: 'source_failing', source }));
  },
  agent_silent: async (session, ids) => {
    const rows = await session.query<Named & { last_seen_at: string }>({
      text: `select id, name, last_seen_at from probes
        where id = any($1::uuid[]) and silent_since is not null and removed_at is null order by lower(name), id`,
      values: [ids],
    });
    return rows.map(({ last_seen_at: lastSeenAt, ...probe }) => ({
      kind: 'agent_silent',
      probe,
      lastSeenAt,
    }));
  },
  key_expiring: async (session, ids) => {
    const rows = await session.query<{ id: string; name: string | null; expires_at: string }>({
      text: `select id, name, expires_at from api_keys
        where id = any($1::uuid[]) and revoked_at is null and expires_at > now() order by expires_at, id`,
      values: [ids],
    });
    return rows.map(({ id, name, expires_at: expiresAt }) => ({
      kind: 'key_expiring',
      key: { id, name: name ?? id },
      expiresAt,
    }));
  },
  attestation_ending: async (session, ids) => {
    const rows = await session.query<{ control: string; validUntil: string }>({
      text: `select a.control, a.valid_until as "validUntil" from control_attestations a
        where a.id = any($1::uuid[]) and a.withdrawn_at is null and not exists (
          select from control_attestations newer where newer.control = a.control and newer.attested_at > a.attested_at)
        order by a.valid_until, a.control`,
      values: [ids],
    });
    return rows.map(row => ({ kind: 'attestation_ending', ...row }));
  },
  backup_old: async session => {
    const rows = await session.query<{ lastAt: string | null }>({
      text: 'select max(made_at) as "lastAt" from backups',
    });
    return rows.map(row => ({ kind: 'backup_old', ...row }));
  },
};

/** What the notices are about besides new findings, and what of it is still so. */
export async function readEvents(session: TenantSession, notices: readonly Happened[]): Promise<EventFact[]> {
  const found: EventFact[] = [];
  for (const [kind, read] of Object.entries(readers)) {
    const ofKind = notices.filter(one => one.kind === kind);
    const ids = ofKind.flatMap(({ object_id }) => (object_id === null ? [] : [object_id]));
    if (ofKind.length > 0) found.push(...(await read(session, ids)));
  }
  return found;
}
