import type { TenantSession } from '../database/tenant-store.ts';
import { hasChanged, hasEnded, hasStayed } from './probes/presence.ts';

/** What workers must do soon, in all organizations: at most so many of each kind, fairly. With the role of the system. */
export class DueWork {
  readonly #session: TenantSession;

  constructor(session: TenantSession) {
    this.#session = session;
  }

  /** Acceptances past their date, round-robin by organization. */
  acceptances(limit: number): Promise<{ organizationId: string; findingId: string }[]> {
    return this.#session.query({
      text: roundRobin(`select organization_id as "organizationId", id as "findingId" from findings
        where triage = 'accepted' and accepted_until <= now()`),
      values: [limit],
    });
  }

  /** Watches with a due scan, round-robin by organization. */
  watches(limit: number): Promise<{ organizationId: string; sourceId: string }[]> {
    return this.#session.query({
      text: roundRobin(
        `select organization_id as "organizationId", source_id as "sourceId" from watches where next_scan_at <= now()`,
      ),
      values: [limit],
    });
  }

  /** Organizations whose retention of scans is not applied yet today. */
  retentions(limit: number): Promise<{ organizationId: string }[]> {
    return this.#session.query({
      text: `select o.id as "organizationId" from organizations o left join retention_turns t on t.organization_id = o.id
        where o.deleted_at is null and scan_horizon(o.scan_retention_days, o.scan_retention_applies_at) is not null
          and not coalesce(t.ended and t.day >= (now() at time zone 'UTC')::date, false)
        order by random() limit $1`,
      values: [limit],
    });
  }

  /** Organizations with events that wait to be processed. */
  pendingEvents(limit: number): Promise<{ organizationId: string }[]> {
    return this.#session.query({
      // From one organization to the next: one with many events takes no longer.
      text: `with recursive pending (id) as (
          (select organization_id from event_inbox order by organization_id limit 1)
          union all
          select (select organization_id from event_inbox where organization_id > p.id order by organization_id limit 1)
          from pending p where p.id is not null)
        select id as "organizationId" from pending
        where id is not null and id not in (select o.id from organizations o where deleted_at is not null)
        order by random() limit $1`,
      values: [limit],
    });
  }

  /** Probes that have ended and are not yet known to be silent. */
  silentProbes(limit: number): Promise<{ organizationId: string; probeId: string }[]> {
    return this.#session.query({
      text: roundRobin(`select organization_id as "organizationId", id as "probeId" from probes
        where silent_since is null and interval_seconds > 0 and ${hasEnded} and ${hasStayed}`),
      values: [limit],
    });
  }

  /** Sources on which a probe no longer reports, or does again, since it was last reported whether one does. */
  changedPresences(
    limit: number,
    { canBeSilent }: { readonly canBeSilent: boolean },
  ): Promise<{ organizationId: string; sourceId: string }[]> {
    return this.#session.query({
      text: roundRobin(`select t.organization_id as "organizationId", t.source_id as "sourceId"
        from probe_targets t join probes p on (p.organization_id, p.id) = (t.organization_id, t.probe_id)
          join sources s on (s.organization_id, s.id) = (t.organization_id, t.source_id)
        where s.scan_authorized_at is not null and (t.silent or $2) and ${hasChanged}`),
      values: [limit, canBeSilent],
    });
  }

  /** Sources with Shield on whose firewalls are due to be assessed. */
  shields(limit: number): Promise<{ organizationId: string; sourceId: string }[]> {
    return this.#session.query({
      text: roundRobin(
        `select organization_id as "organizationId", source_id as "sourceId" from shields where assess_at <= now()`,
      ),
      values: [limit],
    });
  }

  /** Organizations with notices that are in no message yet. */
  notices(limit: number): Promise<{ organizationId: string }[]> {
    return this.#session.query({
      text: roundRobin('select distinct organization_id as "organizationId" from notices where waits'),
      values: [limit],
    });
  }

  /** Organizations with due digests. */
  digests(limit: number): Promise<{ organizationId: string }[]> {
    return this.#session.query({
      text: roundRobin(`select distinct organization_id as "organizationId" from (
        select organization_id from notification_settings where next_digest_at <= now()
        union all select organization_id from notification_channels where next_digest_at <= now()) as due`),
      values: [limit],
    });
  }

  /** Messages to send, to people or to channels, round-robin by organization. */
  messages(limit: number, medium: 'mail' | 'chat'): Promise<{ organizationId: string; messageId: string }[]> {
    return this.#session.query({
      text: roundRobin(`select organization_id as "organizationId", id as "messageId" from outbox
        where state in ('waiting', 'sending') and ready_at <= now() and (person_id is not null) = $2`),
      values: [limit, medium === 'mail'],
    });
  }

  /** Organizations with pending audit entries. */
  pendingAudits(limit: number): Promise<{ organizationId: string }[]> {
    return this.#session.query({
      text: roundRobin('select distinct organization_id as "organizationId" from pending_audit_entries'),
      values: [limit],
    });
  }
}

/**
 * SQL of one item per organization before the second of any; `$1` is the limit. The order within an organization is
 * random, so that items that always fail do not stay ahead of others.
 */
function roundRobin(items: string): string {
  return `select items.* from (${items}) as items
    order by row_number() over (partition by "organizationId" order by random()), random() limit $1`;
}
