import { dirname } from 'node:path';
import { Clock } from '../agent/clock.ts';
import { explainUnreadable } from '../agent/explain-unreadable.ts';
import { requirePrivateFiles } from '../agent/private-files.ts';
import { batchOf } from '../agent/sender.ts';
import { checkKey } from '../agent/service-connection.ts';
import type { ShieldEvent, ShieldHeartbeat } from '../contract/shield-events.ts';
import type { AuditLogEngine } from './audit-logs/read-record.ts';
import { configurationPlaces } from './configuration/find-firewalls.ts';
import { foreignTimes } from './crowdsec/foreign-times.ts';
import { forwardCrowdsec, initialCrowdsecState } from './crowdsec/forward-crowdsec.ts';
import { loginOf } from './crowdsec/login-of.ts';
import { forwardLog, initialLogState } from './forward-log.ts';
import type { CrowdsecSettings, ForwarderSettings, LogSettings } from './forwarder-settings.ts';
import { correctTimes } from './make-events.ts';
import type { RuleBook } from './rule-book.ts';
import { RulesOfLog } from './rules-of-log.ts';

/** What was read, in a few words; or why nothing could be. */
type Result = { readonly read: string } | { readonly problem: string };

type Print = (events: readonly ShieldEvent[]) => void;

const say = (line: string) => process.stderr.write(`${line}\n`);

/**
 * Tests the key, and reads the logs and CrowdSec's local API. Prints the bodies of the requests that would be sent: one per line. Nothing
 * is stored or sent.
 *
 * @returns whether there was no problem
 */
export async function check(settings: ForwarderSettings, version: string): Promise<boolean> {
  await requirePrivateFiles(settings);
  const clock = new Clock();
  const key = await checkKey(settings.service, clock, '/functions/v1/shield-ingest');
  say(`${key.ok ? 'ok     ' : 'FAILED '} ${settings.service.url}: ${key.words}`);
  let isFine = key.ok;
  const print = (events: readonly ShieldEvent[], foreign?: readonly string[]) => {
    for (const event of correctTimes(events, clock, foreign))
      process.stdout.write(`${batchOf([JSON.stringify(event)])}\n`);
  };
  const show = (place: string, result: Result) => {
    if ('problem' in result) isFine = false;
    say('problem' in result ? `FAILED  ${place}: ${result.problem}` : `ok      ${place}: ${result.read}`);
  };
  for (const entry of settings.logs) show(entry.path, await readLog(entry, settings, version, print));
  const { crowdsec } = settings;
  if (crowdsec) {
    const printForeign: Print = events => print(events, foreignTimes(crowdsec));
    show(crowdsec.url, await readCrowdsec(crowdsec, settings, version, printForeign));
  }
  return isFine;
}

const identityOf = ({ name }: ForwarderSettings, version: string) => ({
  name,
  version,
  instance: '00000000-0000-4000-8000-000000000000',
});

async function readLog(
  entry: LogSettings,
  settings: ForwarderSettings,
  version: string,
  print: Print,
): Promise<Result> {
  const { engine, path, storage } = entry;
  const rules = new RulesOfLog(engine, settings.root);
  let heartbeat: ShieldHeartbeat | undefined;
  let unreadable: Error | undefined;
  try {
    await forwardLog({
      engine,
      path,
      ...(storage === undefined ? {} : { storage }),
      state: initialLogState,
      book: () => rules.current(),
      strip: settings.strip,
      identity: identityOf(settings, version),
      sink: {
        put: async made => {
          print(made);
          heartbeat = made.findLast(event => event.kind === 'shield.heartbeat') ?? heartbeat;
        },
      },
      signal: new AbortController().signal,
      once: true,
      heartbeatSeconds: settings.heartbeatSeconds,
      follow: {
        onUnreadable: error => {
          unreadable = error;
        },
      },
    });
  } catch (error) {
    return { problem: (error as Error).message };
  }
  const { log, problem } = heartbeat ?? {};
  if (problem)
    return {
      problem: unreadable
        ? await explainUnreadable(path, unreadable)
        : 'the log does not exist or is not a file',
    };
  if (log && log.records > 0 && log.malformed === log.records) {
    return {
      problem: `none of its ${log.records} records is understood. It must be an audit log of ${engine}, with SecAuditLogFormat JSON`,
    };
  }
  const records = log
    ? `${log.records} ${log.records === 1 ? 'record' : 'records'}, ${log.malformed} not understood`
    : 'nothing';
  return { read: `${records}; ${rulesText(await rules.current(), engine, settings.root)}` };
}

function rulesText({ size }: RuleBook, engine: AuditLogEngine, root: string): string {
  if (size > 0) return `${size} ${size === 1 ? 'rule' : 'rules'} of its configuration`;
  const files = configurationPlaces[engine];
  return [
    `no rules of its configuration below ${root}, so that rules have no messages, and only the anomaly score of the Core Rule Set counts as a denial.`,
    `They are read from ${files.join(' or ')} and the files that it includes, which this user must be able to read.`,
    `If the configuration is in another folder, make ${dirname(files[0])} a link to it; if its file system is mounted elsewhere, set root in the configuration of the forwarder`,
  ].join(' ');
}

async function readCrowdsec(
  crowdsec: CrowdsecSettings,
  settings: ForwarderSettings,
  version: string,
  print: Print,
): Promise<Result> {
  const events: ShieldEvent[] = [];
  const stop = new AbortController();
  let explanation: string | undefined;
  try {
    const api = loginOf(crowdsec);
    // Why there is none, which heartbeats do not state.
    await Promise.all([api.machine?.password(), api.bouncerKey?.()]);
    await forwardCrowdsec({
      api,
      state: initialCrowdsecState,
      strip: settings.strip,
      identity: identityOf(settings, version),
      sink: {
        put: async made => {
          print(made);
          events.push(...made);
          stop.abort();
        },
      },
      signal: stop.signal,
      pollSeconds: settings.heartbeatSeconds,
      onProblem: message => {
        explanation = message;
      },
    });
  } catch (error) {
    return { problem: (error as Error).message };
  }
  if (explanation !== undefined) return { problem: explanation };
  const alerts = events.flatMap(event => (event.kind === 'shield.alerts' ? event.alerts : []));
  const active = events.findLast(event => event.kind === 'shield.decisions')?.active;
  const decisions = Object.values(active ?? {}).reduce((sum, count) => sum + count, 0);
  const read = [
    crowdsec.machine ? `alerts: ${alerts.length}` : 'alerts: not read without a machine',
    crowdsec.bouncerKey ? `active decisions: ${decisions}` : 'decisions: not read without a bouncer key',
  ];
  return { read: read.join(', ') };
}
