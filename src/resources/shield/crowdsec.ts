import type { ShieldAlerts, ShieldDecisions } from '../../contract/shield-events.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { type Forwarder, recordIgnored } from './forwarders.ts';

/** Alerts and decisions that are kept of a forwarder: the newest. */
const mostPerForwarder = 1_000;

export async function recordAlerts(
  transaction: TenantTransaction,
  forwarder: Forwarder,
  { alerts, more }: ShieldAlerts,
): Promise<void> {
  await transaction.query({
    text: `insert into shield_alerts (forwarder_id, alert, scenario, scope, network, events, created_at, start_at, stop_at,
        simulated)
      select $1, a.alert, a.scenario, a.scope, a.network, a.events, least(a.created_at, now()), a.start_at, a.stop_at, a.simulated
      from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::timestamptz[], $8::timestamptz[],
        $9::timestamptz[], $10::boolean[])
        as a (alert, scenario, scope, network, events, created_at, start_at, stop_at, simulated)
      on conflict do nothing`,
    values: [
      forwarder.id,
      alerts.map(({ alert }) => alert),
      alerts.map(({ scenario }) => scenario),
      alerts.map(({ scope }) => scope),
      alerts.map(({ network }) => network),
      alerts.map(({ events }) => events),
      alerts.map(({ created_at }) => created_at),
      alerts.map(({ start_at }) => start_at),
      alerts.map(({ stop_at }) => stop_at),
      alerts.map(({ simulated }) => simulated),
    ],
  });
  await transaction.query({
    text: `delete from shield_alerts where forwarder_id = $1 and (alert, created_at) in (
      select alert, created_at from shield_alerts where forwarder_id = $1 order by created_at desc, alert desc offset $2)`,
    values: [forwarder.id, mostPerForwarder],
  });
  await recordIgnored(transaction, forwarder, more, 'too_many');
}

/** Decisions that have ended, or were deleted, are removed. */
export async function recordDecisions(
  transaction: TenantTransaction,
  forwarder: Forwarder,
  { decisions, active, current, occurred_at }: ShieldDecisions,
): Promise<void> {
  // A number is unique in one database of CrowdSec; a new database begins again.
  await transaction.query({
    text: `insert into shield_decisions (forwarder_id, decision, type, scope, network, decided_at, ends_at, origin, scenario)
      select distinct on (d.decision) $1, d.decision, d.type, d.scope, d.network, $2::timestamptz,
        $2::timestamptz + make_interval(secs => least(d.remaining, 3153600000)), d.origin, d.scenario
      from unnest($3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::text[])
        as d (decision, type, scope, network, remaining, origin, scenario)
      on conflict (organization_id, forwarder_id, decision) do update
        set type = excluded.type, scope = excluded.scope, network = excluded.network, decided_at = excluded.decided_at,
          ends_at = excluded.ends_at, origin = excluded.origin, scenario = excluded.scenario`,
    values: [
      forwarder.id,
      occurred_at,
      decisions.map(({ decision }) => decision),
      decisions.map(({ type }) => type),
      decisions.map(({ scope }) => scope),
      decisions.map(({ network }) => network),
      decisions.map(({ remaining_seconds }) => remaining_seconds),
      decisions.map(({ origin }) => origin),
      decisions.map(({ scenario }) => scenario),
    ],
  });
  await transaction.query({
    text: `delete from shield_decisions where forwarder_id = $1 and (ends_at <= now()
      or decided_at <= $3 and decision <> all ($4::bigint[])
      or decision in (
        select decision from shield_decisions where forwarder_id = $1 order by decided_at desc, decision desc offset $2))`,
    values: [forwarder.id, mostPerForwarder, occurred_at, current ?? null],
  });
  await transaction.query({
    text: `update shield_forwarders set active_decisions = $2, decisions_at = $3
      where id = $1 and (decisions_at is null or decisions_at <= $3)`,
    values: [forwarder.id, JSON.stringify(active), occurred_at],
  });
}
