import type { Mutant } from '../mutant.ts';

const byEvents = (test: string) => ({ file: 'test/worker/probe-events.test.ts', test });
const bySender = (test: string) => ({ file: 'src/agent/sender.test.ts', test });
const bySpool = (test: string) => ({ file: 'src/agent/spool.test.ts', test });

const byConnection = (test: string) => ({ file: 'src/agent/service-connection.test.ts', test });

const byTrustedPath = (test: string) => ({ file: 'src/agent/trusted-path.test.ts', test });

const connection = 'src/agent/service-connection.ts';
const sender = 'src/agent/sender.ts';
const trustedPath = 'src/agent/trusted-path.ts';
const scans = 'src/resources/probes/probe-scans.ts';
const presence = 'src/resources/probes/presence.ts';
const late = byEvents('does not let a report that arrives late replace a newer one');
const nothing = 'changes nothing for a source of another system, another organization or another mode';

/** A probe speaks for its own system, loses nothing and sends no values. */
export const probeMutants: readonly Mutant[] = [
  {
    name: 'Any key reports as a probe',
    file: 'src/api/routes/ingest/sift-events.ts',
    search: 'if (!sender.isProbe) return',
    replacement: 'if (sender.isProbe && !kind) return',
    killedBy: byEvents('refuses reports of a probe from any other key'),
  },
  {
    name: 'A probe reports on sources of another system',
    file: scans,
    search: 'source?.system_id === probe.systemId',
    replacement: 'source !== undefined',
    killedBy: byEvents(nothing),
  },
  {
    name: 'A probe reports on sources that the service scans',
    file: scans,
    search: "source.connection_mode === 'probe' ? source : 'source_not_probe_mode'",
    replacement: 'source',
    killedBy: byEvents(nothing),
  },
  {
    name: 'A heartbeat connects sources of another system',
    file: presence,
    search: "system_id = $1 and connection_mode = 'probe'",
    replacement: "$1::uuid is not null and connection_mode = 'probe'",
    killedBy: byEvents(nothing),
  },
  {
    name: 'A compromised probe floods scans',
    file: scans,
    search: 'recent!.assessments >= mostPerDay',
    replacement: 'recent!.assessments < 0',
    killedBy: byEvents('bounds what a compromised probe can cause'),
  },
  {
    name: 'Assessments of one key use up those of another',
    file: scans,
    search: 'where source_id = $1 and key_id = $2',
    replacement: 'where source_id = $1 and $2::uuid is not null',
    killedBy: byEvents('bounds what a compromised probe can cause'),
  },
  {
    name: 'Changes of one key displace those of another',
    file: 'src/resources/probes/source-changes.ts',
    search: 'delete from source_changes where source_id = $1 and key_id = $2 and',
    replacement: 'delete from source_changes where source_id = $1 and $2::uuid is not null and',
    killedBy: byEvents('keeps 5,000 changes of each key: a compromised one removes none of another'),
  },
  {
    name: 'Changes of a source fill the disk',
    file: 'src/resources/probes/source-changes.ts',
    search:
      'where source_id = $1 and key_id = $2\n      order by occurred_at desc, event_id desc, place desc offset ${mostOfKey}',
    replacement:
      'where source_id = $1 and key_id = $2\n      order by occurred_at desc, event_id desc, place desc offset 500000',
    killedBy: byEvents('keeps 5,000 changes of each key: a compromised one removes none of another'),
  },
  {
    name: 'The list that a revoked key filled stays full',
    file: 'src/resources/probes/inventory.ts',
    search: "o.via = 'firewall') and k.revoked_at is null",
    replacement: "o.via = 'firewall')",
    killedBy: byEvents('lists databases of a valid key though those of a revoked one filled the list'),
  },
  {
    name: 'A probe is silent before it states its interval',
    file: 'src/resources/due-work.ts',
    search: 'silent_since is null and interval_seconds > 0 and',
    replacement: 'silent_since is null and',
    killedBy: byEvents('does not call a probe silent that has not stated its interval yet'),
  },
  {
    name: 'Changes of keys that ended fill the disk',
    file: 'src/resources/probes/source-changes.ts',
    search:
      'where ${isOfEnded}\n      order by occurred_at desc, event_id desc, place desc offset ${mostOfKey}',
    replacement:
      'where ${isOfEnded}\n      order by occurred_at desc, event_id desc, place desc offset 500000',
    killedBy: byEvents('keeps 5,000 changes of all keys together that are not valid'),
  },
  {
    name: 'Changes of keys that ended displace those of valid keys',
    file: 'src/resources/probes/source-changes.ts',
    search: 'where k.id = c.key_id and k.revoked_at is null',
    replacement: 'where k.id <> k.id and k.revoked_at is null',
    killedBy: byEvents('keeps 5,000 changes of all keys together that are not valid'),
  },
  {
    name: 'The return of a probe resolves the silence of a source that it no longer names',
    file: presence,
    search: 'then p.silent_since is null and t.dropped_at is null',
    replacement: 'then p.silent_since is null',
    killedBy: byEvents('resolves nothing when the probe returns without the target'),
  },
  {
    name: 'Nobody notices that a probe no longer names a source',
    file: presence,
    search: 'or t.dropped_at < now() - greatest',
    replacement: 'or false and t.dropped_at < now() - greatest',
    killedBy: byEvents('opens a finding on a source that its probe has not named for three intervals'),
  },
  {
    name: 'A source is missed before five minutes',
    file: presence,
    search: "make_interval(secs => 3 * p.interval_seconds), interval '5 minutes')",
    replacement: "make_interval(secs => 3 * p.interval_seconds), interval '5 seconds')",
    killedBy: byEvents('opens a finding on a source that its probe has not named for three intervals'),
  },
  {
    name: 'A probe ends with one of its keys',
    file: presence,
    search:
      'not exists (select from probe_keys e join api_keys k on k.id = e.key_id\n  where e.probe_id = probes.id and (k.revoked_at is null or',
    replacement:
      'exists (select from probe_keys e join api_keys k on k.id = e.key_id\n  where e.probe_id = probes.id and not (k.revoked_at is null or',
    killedBy: byEvents('does not miss a probe that has a valid key when another of its keys is revoked'),
  },
  {
    name: 'A late report replaces the state of a target',
    file: presence,
    search: 'where probe_targets.reported_at <= excluded.reported_at',
    replacement: 'where excluded.reported_at is not null',
    killedBy: late,
  },
  {
    name: 'A late report states the version of a probe',
    file: 'src/resources/probes/probes.ts',
    search: 'version = case when excluded.reported_at >= p.reported_at then',
    replacement: 'version = case when true then',
    killedBy: late,
  },
  {
    name: 'A late report states the key of a probe',
    file: 'src/resources/probes/probes.ts',
    search: 'key_id = case when excluded.reported_at >= p.reported_at then',
    replacement: 'key_id = case when true then',
    killedBy: late,
  },
  {
    name: 'Silence is never found',
    file: 'src/worker/continuity.ts',
    search: 'await work(now - this.#since);',
    replacement: 'await work(0);',
    killedBy: {
      file: 'src/worker/continuity.test.ts',
      test: 'states for how long turns have followed each other',
    },
  },
  {
    name: 'A probe whose clock was ahead stays as it was',
    file: 'src/resources/events/inbox.ts',
    search: 'isAhead ? { ...event, occurred_at: waiting.receivedAt } : event',
    replacement: 'event',
    killedBy: byEvents('follows a probe whose clock was ahead'),
  },
  {
    name: 'A check that a probe does not have passes',
    file: 'src/scan/probe-report.ts',
    search: 'if (!entry) return [{ check,',
    replacement: 'if (!entry && !check) return [{ check,',
    killedBy: byEvents('understands a probe that is older or newer than the service'),
  },
  {
    name: 'A proxy makes the probe give up its events',
    file: sender,
    search: 'status === 400 && isRefusal(json)',
    replacement: 'status === 400',
    killedBy: bySender('does not give up events because of a proxy that answers instead of the service'),
  },
  {
    name: 'The limit of the key is exceeded',
    file: sender,
    search: 'limits.keyRequestsPerMinute - 10',
    replacement: 'limits.keyRequestsPerMinute + 10',
    killedBy: bySender('stays within the limit of the key'),
  },
  {
    name: 'Dropped events are not counted',
    file: 'src/agent/spool.ts',
    search: 'this.#state.dropped = withDropped(this.#state.dropped, reason, loss);',
    replacement: 'void [loss, reason];',
    killedBy: bySpool('drops the oldest events at the limit of its size, and counts them'),
  },
  {
    name: 'The login of a proxy is part of its address',
    file: 'src/agent/setting-forms.ts',
    search: "if (url.username || url.password)\n    return { wrong: 'must not contain a user or password:",
    replacement:
      "if (url.username && url.password === url.username)\n    return { wrong: 'must not contain a user or password:",
    killedBy: { file: 'src/probe/configuration.test.ts', test: 'a login of the proxy, without repeating it' },
  },
  {
    name: 'A proxy reads the key of a probe without TLS',
    file: connection,
    search: "if (url.startsWith('http:')) return",
    replacement: "if (url.startsWith('http:') && getProxyForUrl(url) === '') return",
    killedBy: byConnection('uses no proxy without TLS: it would read the key'),
  },
  {
    name: 'A probe learns the time from a proxy',
    file: connection,
    search: 'isOfService(status, json) ?',
    replacement: '(isOfService(status, json) || status > 0) ?',
    killedBy: byConnection('learns the time from answers of the service only'),
  },
  {
    name: 'A probe uses a key that all users can read',
    file: 'src/agent/private-files.ts',
    search: 'key.mode & everyoneReadsOrWrites',
    replacement: 'key.mode > 0o777_777',
    killedBy: {
      file: 'src/agent/private-files.test.ts',
      test: 'refuses a key that all users can read or change',
    },
  },
  {
    name: 'A probe uses a key that others can replace',
    file: 'src/agent/private-files.ts',
    search: '  requireClosed(keyFile);',
    replacement: '',
    killedBy: {
      file: 'src/agent/private-files.test.ts',
      test: 'refuses a key that a group or another user can change or replace',
    },
  },
  {
    name: 'Any group may replace a trusted spool',
    file: 'src/agent/private-files.ts',
    search: 'const groups = own === 0 ? [] : process.getgroups?.();',
    replacement: 'const groups = process.getgroups?.();',
    killedBy: {
      file: 'src/agent/private-files.test.ts',
      test: 'permits the group of an agent, except of root, above its spool',
    },
  },
  {
    name: 'An ACL may permit any user to change a trusted file',
    file: trustedPath,
    search: 'const isForGroup = (mode & groupWrites) !== 0 &&',
    replacement: 'const isForGroup = (mode & groupWrites) !== 0 && gid !== 0 &&',
    killedBy: byTrustedPath('refuses a configuration that its group may change, whatever the group'),
  },
  {
    name: 'Links on the way to a trusted file may be replaced',
    file: trustedPath,
    search: 'const stats = lstatSync(place);',
    replacement: 'const stats = statSync(place);',
    killedBy: byTrustedPath(
      'refuses a configuration if one of the links to it is where others may replace it',
    ),
  },
  {
    name: 'Another user may own a link to a trusted file',
    file: trustedPath,
    search: '      if (!isTrusted(stats))\n        throw',
    replacement: '      if (Number.isNaN(stats.uid))\n        throw',
    killedBy: byTrustedPath('refuses a link of another user, who may replace it where only owners may'),
  },
  {
    name: 'A trusted folder may be read only for the agent alone',
    file: trustedPath,
    search: 'if (dev === statSync(dirname(folder)).dev) return false;',
    replacement: 'if (dev === -1) return false;',
    killedBy: byTrustedPath('permits all users to write in a volume that is read only, not in other folders'),
  },
  {
    name: 'A probe reads files of its configuration that are not trusted',
    file: trustedPath,
    search: '  requireTrusted(path);\n  return readFileSync',
    replacement: '  return readFileSync',
    killedBy: byTrustedPath('refuses other files of the configuration that others can change'),
  },
  {
    name: 'A probe waits for the writer of a pipe',
    file: trustedPath,
    search: 'if (!stats.isFile())',
    // Reading the pipe would wait for good.
    replacement: 'if (stats.isFIFO()) return Buffer.from("a");\n  if (!stats.isFile())',
    killedBy: byTrustedPath('refuses a pipe, which would wait for a writer'),
  },
  {
    name: 'A repeated change is another event',
    file: 'src/probe/drift.ts',
    search: 'return { id: idOf(content), kind:',
    replacement: 'return { id: crypto.randomUUID(), kind:',
    killedBy: {
      file: 'src/probe/drift.test.ts',
      test: 'gives the same changes since the same assessment the same id, and others another',
    },
  },
];
