import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Clock } from '../agent/clock.ts';
import { lockFolder } from '../agent/folder-lock.ts';
import { keepSending } from '../agent/keep-sending.ts';
import { requirePrivateFiles } from '../agent/private-files.ts';
import { Sender } from '../agent/sender.ts';
import { ServiceConnection } from '../agent/service-connection.ts';
import { Spool } from '../agent/spool.ts';
import { reportDropped } from '../agent/spool-events.ts';
import { workTogether } from '../agent/work-together.ts';
import { makeFolder } from '../domain/make-folder.ts';
import { withinTime } from '../domain/within-time.ts';
import { foreignTimes } from './crowdsec/foreign-times.ts';
import { type CrowdsecState, forwardCrowdsec, initialCrowdsecState } from './crowdsec/forward-crowdsec.ts';
import { loginOf } from './crowdsec/login-of.ts';
import { forwardLog, initialLogState, type LogState } from './forward-log.ts';
import type { CrowdsecSettings, ForwarderSettings, LogSettings } from './forwarder-settings.ts';
import { keepForwarding } from './keep-forwarding.ts';
import { envelopeOf } from './make-events.ts';
import { RulesOfLog } from './rules-of-log.ts';
import type { ForwarderIdentity } from './sink.ts';
import { StoredSink } from './stored-sink.ts';

type Log = (event: string, fields: object) => void;

/** Milliseconds for the last events when the forwarder stops. */
const flushMs = 5_000;

/**
 * Forwards what the configured firewalls report, until the signal.
 *
 * @throws FolderInUse, OpenToOthers, ProxyUnusable, SpoolUnusable
 */
export async function forward(settings: ForwarderSettings, running: Running): Promise<void> {
  const { folder, ...limits } = settings.spool;
  await requirePrivateFiles(settings);
  await makeFolder(folder, 0o700);
  const lock = await lockFolder(folder);
  try {
    const spool = await Spool.open(folder, limits);
    await forwardFrom(settings, spool, running).finally(() => spool.close());
  } finally {
    await lock.release();
  }
  running.log('shield.stopped', {});
}

interface Running {
  readonly version: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

async function forwardFrom(
  settings: ForwarderSettings,
  spool: Spool,
  { version, log, signal }: Running,
): Promise<void> {
  const clock = new Clock();
  const connection = new ServiceConnection(settings.service, clock);
  const sender = new Sender({ spool, connection, clock, target: '/functions/v1/shield-ingest', log });
  const identity: ForwarderIdentity = { name: settings.name, version, instance: randomUUID() };
  const parts = { settings, spool, clock, identity, log };
  const { logs, crowdsec } = settings;
  log('shield.started', { name: settings.name, logs: logs.length });
  const keep = (source: string, end: AbortSignal, work: () => Promise<void>) =>
    keepForwarding(work, end, message => log('shield.source_failed', { source, message }));
  try {
    await workTogether(settings.spool.folder, signal, [
      ...logs.map(
        entry => (end: AbortSignal) => keep(entry.path, end, forwardOne({ ...parts, signal: end }, entry)),
      ),
      async end => {
        if (crowdsec) await keep('crowdsec', end, forwardApi({ ...parts, signal: end }, crowdsec));
      },
      end =>
        keepSending(spool, end, async () => {
          await reportDropped(spool, clock.offset, dropped => ({
            ...envelopeOf(identity, clock.timestamp()),
            kind: 'shield.dropped',
            ...dropped,
          }));
          await sender.drain(end);
        }),
    ]);
    await withinTime(flushMs, undefined, end => sender.drain(end));
  } finally {
    connection.close();
  }
}

interface Parts {
  readonly settings: ForwarderSettings;
  readonly spool: Spool;
  readonly clock: Clock;
  readonly identity: ForwarderIdentity;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** The sink is opened once: each opening puts events that may not be in the spool there again. */
function forwardOne(parts: Parts, entry: LogSettings): () => Promise<void> {
  const { settings, spool, clock, identity, log, signal } = parts;
  const { engine, path, storage } = entry;
  const rules = new RulesOfLog(engine, settings.root);
  let sink: StoredSink<LogState> | undefined;
  return async () => {
    sink ??= await StoredSink.open({
      path: stateFile(settings, `${engine} ${path}`),
      ...{ spool, clock, initial: initialLogState },
    });
    await forwardLog({
      engine,
      path,
      ...(storage === undefined ? {} : { storage }),
      state: sink.state,
      book: () => rules.current(),
      strip: settings.strip,
      identity,
      sink,
      signal,
      heartbeatSeconds: settings.heartbeatSeconds,
      onProblem: problem =>
        log(problem === null ? 'shield.log_found' : 'shield.log_missing', { source: path }),
      follow: {
        onUnreadable: ({ message }) => log('shield.log_unreadable', { source: path, message }),
      },
    });
  };
}

function forwardApi(
  { settings, spool, clock, identity, log, signal }: Parts,
  crowdsec: CrowdsecSettings,
): () => Promise<void> {
  let sink: StoredSink<CrowdsecState> | undefined;
  return async () => {
    sink ??= await StoredSink.open({
      path: stateFile(settings, `crowdsec ${crowdsec.url}`),
      ...{ spool, clock, initial: initialCrowdsecState, foreign: foreignTimes(crowdsec) },
    });
    await forwardCrowdsec({
      api: loginOf(crowdsec, signal),
      state: sink.state,
      strip: settings.strip,
      identity,
      sink,
      signal,
      pollSeconds: settings.heartbeatSeconds,
      onProblem: message => log('shield.api_failed', { source: crowdsec.url, message }),
    });
  };
}

function stateFile({ spool }: ForwarderSettings, source: string): string {
  return join(spool.folder, `state-${createHash('sha256').update(source).digest('hex').slice(0, 16)}.json`);
}
