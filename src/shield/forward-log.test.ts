import { randomUUID } from 'node:crypto';
import { copyFile, readFile, rename, truncate } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { attacks, harmlessRequests } from '../../test/support/attacks.ts';
import {
  type FirewalledSite,
  type FirewallOptions,
  hasModsecurity2,
  hasModsecurity3,
  send,
  startModsecurity2,
  startModsecurity3,
} from '../../test/support/firewalls.ts';
import { poll } from '../../test/support/poll.ts';
import { MemorySink } from '../../test/support/shield-sink.ts';
import type { AuditLogEngine } from './audit-logs/read-record.ts';
import { type ForwardLogOptions, forwardLog, initialLogState, type LogState } from './forward-log.ts';
import { type KnownRule, readRules } from './rule-book.ts';

const running: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0).reverse()) await stop();
});

const identity = { name: 'shop', version: '0.1.0', instance: randomUUID() };

/** Forwards the log of a site until it is stopped, which reads everything first. */
async function forwarding(
  engine: AuditLogEngine,
  site: FirewalledSite,
  sink: MemorySink<LogState>,
  changes: Partial<ForwardLogOptions> = {},
) {
  const book = new Map<string, KnownRule>();
  readRules(await readFile(site.configuration, 'utf8'), book);
  const stopping = new AbortController();
  const done = forwardLog({
    ...{
      engine,
      path: site.auditLog,
      state: sink.state,
      book,
      strip: { clients: 'network' },
      identity,
      sink,
    },
    ...{ flushSeconds: 0, heartbeatSeconds: 60, signal: stopping.signal },
    follow: { pollMilliseconds: 20, lingerMilliseconds: 300 },
    ...changes,
  });
  const stop = async () => {
    stopping.abort();
    await done;
  };
  running.push(stop);
  return { stop };
}

/** All requests, in an order in which kinds are mixed. */
const everyAttack = Object.values(attacks).flat();
const mixed = [...everyAttack, ...harmlessRequests].sort((a, b) => hash(a.path) - hash(b.path));
function hash(text: string): number {
  let value = 7;
  for (const letter of text) value = (Math.imul(value, 31) + letter.codePointAt(0)!) >>> 0;
  return value;
}

const products = [
  ['modsecurity3', hasModsecurity3(), startModsecurity3],
  ['modsecurity2', hasModsecurity2(), startModsecurity2],
] as const;

describe.each(products)('%s', (engine, isInstalled, start) => {
  const started = async (options: FirewallOptions = {}) => {
    const site = await start(options);
    running.push(() => site.close());
    return site;
  };
  const totalOf = (sink: MemorySink<LogState>) =>
    Object.values(sink.counts('action')).reduce((sum, count) => sum + count, 0);

  it.runIf(isInstalled)('counts what the firewall answered, across rotations and restarts', async () => {
    const site = await started();
    const sink = new MemorySink(initialLogState);
    const first = await forwarding(engine, site, sink);
    const third = Math.ceil(mixed.length / 3);
    const answers = [await send(site.port, mixed.slice(0, third))];
    await rename(site.auditLog, `${site.auditLog}.1`);
    // Still into the renamed file.
    answers.push(await send(site.port, everyAttack.slice(0, 10)));
    await site.logged();
    await site.reopen();
    answers.push(await send(site.port, mixed.slice(third, 2 * third)));
    await first.stop();
    answers.push(await send(site.port, everyAttack.slice(10, 20)));
    await site.logged();
    await copyFile(site.auditLog, `${site.auditLog}.2`);
    await truncate(site.auditLog);
    const second = await forwarding(engine, site, sink);
    // To addresses: a rule matches these, which does not suffice to deny them.
    answers.push(await send(site.port, harmlessRequests.slice(0, 100), `127.0.0.1:${site.port}`));
    answers.push(await send(site.port, mixed.slice(2 * third)));
    const refused = answers.reduce((sum, answer) => sum + answer.refused, 0);
    expect(refused).toBeGreaterThan(100);
    const { warned, denied } = await site.logged();
    expect(denied.size).toBe(refused);
    const all = new Set([...warned, ...denied]).size;
    await poll('all requests', () => totalOf(sink) >= all);
    await second.stop();
    expect(sink.counts('action')).toEqual({ blocked: refused, detected: all - refused });
    expect(sink.counts('host')).toMatchObject({ '127.0.0.1': 100 });
    expect(sink.state).toMatchObject({ malformed: 0, tooLong: 0 });
    for (const kind of [
      'sqli',
      'xss',
      'lfi',
      'rfi',
      'rce',
      'php',
      'scanner',
      'protocol',
      'fixation',
      'method',
    ])
      expect(sink.counts('attack')).toHaveProperty(kind);
  });

  it.runIf(isInstalled)('counts what the firewall only detected', async () => {
    const site = await started({ mode: 'DetectionOnly' });
    const sink = new MemorySink(initialLogState);
    const forwarder = await forwarding(engine, site, sink);
    expect(await send(site.port, [...everyAttack, ...harmlessRequests.slice(0, 100)])).toMatchObject({
      refused: 0,
    });
    const { warned, denied } = await site.logged();
    expect(warned.size).toBeGreaterThan(100);
    expect(denied.size).toBe(0);
    await poll('all requests', () => totalOf(sink) >= warned.size);
    await forwarder.stop();
    expect(sink.counts('action')).toEqual({ detected: warned.size });
  });

  it.runIf(isInstalled)('reads a concurrent log', async () => {
    const site = await started({ log: 'Concurrent' });
    const sink = new MemorySink(initialLogState);
    const forwarder = await forwarding(engine, site, sink, { storage: site.storage });
    const { refused } = await send(site.port, everyAttack.slice(0, 24));
    await poll('all requests', () => totalOf(sink) >= refused);
    await forwarder.stop();
    expect(sink.counts('action')).toEqual({ blocked: refused });
    expect(sink.state.malformed).toBe(0);
  });
});
