import type {
  AttackClass,
  ShieldEvent,
  ShieldHeartbeat,
  ShieldRequests,
} from '../../contract/shield-events.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import type { WaitingEvent } from '../../resources/events/inbox.ts';
import { recordInventory } from '../../resources/probes/inventory.ts';
import {
  addCounts,
  type BlockCount,
  type Counts,
  type SourceCounts,
  type TopCount,
} from '../../resources/shield/counts.ts';
import { recordAlerts, recordDecisions } from '../../resources/shield/crowdsec.ts';
import {
  countDropped,
  type Forwarder,
  forwarderOf,
  recordHeartbeat,
  recordIgnored,
  type ShieldIgnored,
} from '../../resources/shield/forwarders.ts';
import { type ShieldedSource, sourceOfHost, sourcesByHost } from '../../resources/shield/hosts.ts';

const hourMs = 3_600_000;
/** Hours are kept for 400 days. */
const oldestMs = 400 * 24 * hourMs;

/** Counts what a forwarder reported, for the sources of its system with Shield on. */
export async function processShieldEvent(
  transaction: TenantTransaction,
  waiting: WaitingEvent<ShieldEvent>,
): Promise<void> {
  const { event } = waiting;
  const forwarder = await forwarderOf(transaction, waiting);
  if (!forwarder) return;
  if (event.kind === 'shield.dropped') return countDropped(transaction, forwarder, event.count);
  const sources = await sourcesByHost(transaction, forwarder.systemId);
  const isOn = [...sources.values()].some(source => source.isOn);
  switch (event.kind) {
    case 'shield.heartbeat':
      return heartbeat(transaction, forwarder, { ...waiting, event }, sources);
    case 'shield.requests':
      return requests(transaction, forwarder, { ...waiting, event }, sources);
    case 'shield.alerts':
      if (isOn) return recordAlerts(transaction, forwarder, event);
      return recordIgnored(transaction, forwarder, event.alerts.length, 'shield_off');
    case 'shield.decisions':
      if (isOn) return recordDecisions(transaction, forwarder, event);
      return recordIgnored(transaction, forwarder, event.decisions.length, 'shield_off');
  }
}

type Sources = ReadonlyMap<string, ShieldedSource>;

async function heartbeat(
  transaction: TenantTransaction,
  forwarder: Forwarder,
  waiting: WaitingEvent<ShieldHeartbeat>,
  sources: Sources,
): Promise<void> {
  const { hosts } = waiting.event;
  const reported = new Map<string, string>();
  for (const { host, last_seen_at } of hosts.toReversed()) {
    const source = sourceOfHost(sources, host);
    if (source?.isOn) reported.set(source.id, last_seen_at);
  }
  await recordHeartbeat(transaction, forwarder, waiting, reported);
  await recordUnknownHosts(transaction, forwarder, sources, hosts);
}

/** Websites behind the firewall that are no sources. */
async function recordUnknownHosts(
  transaction: TenantTransaction,
  { systemId }: Forwarder,
  sources: Sources,
  hosts: readonly { readonly host: string | null }[],
): Promise<void> {
  const unknown = new Set(
    hosts.flatMap(({ host }) => (host === null || sourceOfHost(sources, host) ? [] : [host])),
  );
  if (unknown.size === 0) return;
  const seen = [...unknown].map(host => ({ kind: 'website', host, via: 'firewall' }) as const);
  await recordInventory(transaction, { systemId, probeId: null }, seen);
}

async function requests(
  transaction: TenantTransaction,
  forwarder: Forwarder,
  { event, receivedAt }: WaitingEvent<ShieldRequests>,
  sources: Sources,
): Promise<void> {
  const entries = [...event.groups, ...event.others];
  await recordUnknownHosts(transaction, forwarder, sources, entries);
  const ignored = new Map<ShieldIgnored, number>();
  const ignore = (reason: ShieldIgnored, count: number) =>
    ignored.set(reason, (ignored.get(reason) ?? 0) + count);
  const age = Date.parse(receivedAt) - Date.parse(event.from);
  const wrongTime = !(age <= oldestMs) ? 'too_old' : age < -hourMs ? 'in_future' : undefined;
  const counting = new Map<string, Entry[]>();
  for (const entry of entries) {
    const source = sourceOfHost(sources, entry.host);
    if (!source) ignore('host_unknown', entry.count);
    else if (!source.isOn) ignore('shield_off', entry.count);
    else if (wrongTime) ignore(wrongTime, entry.count);
    else {
      const counted = counting.get(source.id) ?? [];
      counting.set(source.id, counted);
      counted.push(entry);
    }
  }
  for (const [sourceId, of] of counting) {
    await addCounts(transaction, sourceId, new Date(event.from).toISOString(), countsOf(of));
  }
  for (const [reason, count] of ignored) await recordIgnored(transaction, forwarder, count, reason);
}

type Entry = ShieldRequests['groups'][number] | ShieldRequests['others'][number];

function countsOf(entries: readonly Entry[]): SourceCounts {
  const attacks = new Map<AttackClass, Counts>();
  const tops = new Map<string, TopCount>();
  const blocks = new Map<string, BlockCount>();
  for (const entry of entries) {
    const { action, attack, count } = entry;
    const counted = attacks.get(attack) ?? { blocked: 0, detected: 0 };
    attacks.set(attack, counted);
    counted[action] += count;
    const isGroup = 'path' in entry;
    const rule = isGroup ? (entry.rule?.id ?? '') : '';
    const path = isGroup ? entry.path : '';
    const network = isGroup ? (entry.network ?? '') : '';
    const label = isGroup ? (entry.rule?.message ?? null) : null;
    for (const [kind, value] of [
      ['rule', rule],
      ['path', path],
      ['network', network],
    ] as const) {
      const key = `${kind} ${value}`;
      const top = tops.get(key) ?? {
        kind,
        value,
        label: kind === 'rule' ? label : null,
        blocked: 0,
        detected: 0,
      };
      tops.set(key, top);
      top[action] += count;
    }
    if (action !== 'blocked') continue;
    const isDetailed = rule !== '' && network !== '';
    const of = isDetailed ? { rule, path, network } : { rule: '', path: '', network: '' };
    const key = JSON.stringify(of);
    const block = blocks.get(key) ?? { ...of, blocked: 0, authenticated: 0 };
    blocks.set(key, block);
    block.blocked += count;
    if (isGroup && entry.authenticated) block.authenticated += count;
  }
  return { attacks, tops: [...tops.values()], blocks: [...blocks.values()] };
}
