import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { Clock } from '../agent/clock.ts';
import { batchOf } from '../agent/sender.ts';
import { checkKey } from '../agent/service-connection.ts';
import type { ShieldEvent } from '../contract/shield-events.ts';
import { findFirewalls } from './configuration/find-firewalls.ts';
import { exampleFor } from './example.ts';
import { forwardLog, initialLogState } from './forward-log.ts';
import { bookOf, forward } from './forwarder.ts';
import { type ForwarderSettings, type LogSettings, readForwarderFile } from './forwarder-settings.ts';

const defaultFile = '/etc/parapet/shield.yaml';

/** Adds the commands of Shield. */
export function addShieldCommands(program: Command, { version }: { readonly version: string }): void {
  program
    .command('forward')
    .description('report what the web application firewall blocks and detects')
    .option('--config <file>', 'configuration file', defaultFile)
    .action(async ({ config }: { config: string }) => {
      const stop = new AbortController();
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
      await forward(readForwarderFile(config), { version, log, signal: stop.signal });
    });
  program
    .command('check')
    .description('test the configuration, and print what would be sent')
    .option('--config <file>', 'configuration file', defaultFile)
    .action(async ({ config }: { config: string }) => {
      process.exitCode = (await check(readForwarderFile(config), version)) ? 0 : 1;
    });
  program
    .command('init')
    .description('find the firewall, and write a configuration file')
    .option('--config <file>', 'file to write', defaultFile)
    .option('--root <folder>', 'where the configuration of the firewall is', '/')
    .action(({ config, root }: { config: string; root: string }) => init(config, root));
}

function log(event: string, fields: object): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), msg: event, ...fields })}\n`);
}

const say = (line: string) => process.stderr.write(`${line}\n`);

async function init(file: string, root: string): Promise<void> {
  const found = await findFirewalls(root);
  if (existsSync(file)) throw new ShieldFileExists(`${file} exists: choose another with --config`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, exampleFor(found, resolve(root)), { mode: 0o600, flag: 'wx' });
  if (found.length === 0) say('No firewall was found. The file has examples of each.');
  for (const firewall of found) {
    if (firewall.engine === 'crowdsec') {
      say(`Found CrowdSec with its local API at ${firewall.api}.`);
      continue;
    }
    const { engine, server, mode, auditLog, changes } = firewall;
    say(`Found ${engine} in ${server}: mode ${mode}, audit log ${auditLog?.path ?? 'off'}.`);
    for (const { file: place, present, line } of changes) {
      say(
        present === null ? `  Add to ${place}: ${line}` : `  In ${place}, replace ${present} with: ${line}`,
      );
    }
  }
  say(`Wrote ${file}. Edit it, then run \`parapet shield check --config ${file}\`.`);
}

/** A file that `init` would replace. */
class ShieldFileExists extends Error {
  override readonly name = 'ShieldFileExists';
}

/** Reads what is in the logs, and prints the bodies of the requests that would be sent: one per line. */
async function check(settings: ForwarderSettings, version: string): Promise<boolean> {
  const key = await checkKey(settings.service, new Clock(), '/functions/v1/shield-ingest');
  say(`${key.ok ? 'ok     ' : 'FAILED '} ${settings.service.url}: ${key.words}`);
  let isFine = key.ok;
  for (const entry of settings.logs) {
    const { events, problem } = await eventsOf(entry, settings, version);
    isFine &&= problem === undefined;
    for (const event of events) process.stdout.write(`${batchOf([JSON.stringify(event)])}\n`);
    const [heartbeat] = events.filter(event => event.kind === 'shield.heartbeat').slice(-1);
    const read = heartbeat?.log
      ? `${heartbeat.log.records} records, ${heartbeat.log.malformed} not understood`
      : '';
    say(problem === undefined ? `ok      ${entry.path}: ${read}` : `FAILED  ${entry.path}: ${problem}`);
  }
  return isFine;
}

/** The events of what is in a log now. */
async function eventsOf(
  entry: LogSettings,
  settings: ForwarderSettings,
  version: string,
): Promise<{ events: ShieldEvent[]; problem?: string }> {
  const events: ShieldEvent[] = [];
  const stop = new AbortController();
  const { engine, path, storage } = entry;
  try {
    if (!existsSync(path)) return { events, problem: 'the log does not exist' };
    await forwardLog({
      engine,
      path,
      ...(storage === undefined ? {} : { storage }),
      state: initialLogState,
      book: await bookOf(entry, settings.root),
      strip: settings.strip,
      identity: { name: settings.name, version, instance: '00000000-0000-4000-8000-000000000000' },
      sink: {
        put: async made => {
          events.push(...made);
          const isAtEnd = made.some(event => event.kind === 'shield.heartbeat' && event.log?.lag_bytes === 0);
          if (isAtEnd) stop.abort();
        },
      },
      signal: stop.signal,
      heartbeatSeconds: 0,
    });
  } catch (error) {
    return { events, problem: String(error) };
  }
  return { events };
}
