import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { writeExample } from '../agent/write-example.ts';
import { writeLog as log } from '../agent/write-log.ts';
import { check } from './check.ts';
import { ConfigurationFiles } from './configuration/configuration-files.ts';
import { findFirewalls } from './configuration/find-firewalls.ts';
import { exampleFor } from './example.ts';
import { forward } from './forwarder.ts';
import { readForwarderFile } from './forwarder-settings.ts';

const defaultFile = '/etc/parapet/shield.yaml';

interface Parts {
  /** How the commands are called, such as `parapet shield`. */
  readonly name: string;
  readonly version: string;
}

/** Adds the commands of Shield. */
export function addShieldCommands(program: Command, { name, version }: Parts): void {
  program
    .command('forward')
    .description('report what the web application firewall blocks and detects')
    .option('--config <file>', 'configuration file', defaultFile)
    .action(async ({ config }: { config: string }) => {
      const stop = new AbortController();
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
      await forward(readForwarderFile(config, name), { version, log, signal: stop.signal });
    });
  program
    .command('check')
    .description('test the configuration, and print what would be sent')
    .option('--config <file>', 'configuration file', defaultFile)
    .action(async ({ config }: { config: string }) => {
      process.exitCode = (await check(readForwarderFile(config, name), version)) ? 0 : 1;
    });
  program
    .command('init')
    .description('find the firewall, and write a configuration file')
    .option('--config <file>', 'file to write', defaultFile)
    .option('--root <folder>', 'where the configuration of the firewall is', '/')
    .action(({ config, root }: { config: string; root: string }) => init(config, root, name));
}

const say = (line: string) => process.stderr.write(`${line}\n`);

async function init(file: string, root: string, name: string): Promise<void> {
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigurationUnreadable(
      `${root} is not a folder: name the one with the firewall's file system`,
    );
  const files = new ConfigurationFiles(root);
  const found = await findFirewalls(files);
  if (files.unreadable.length > 0) {
    throw new ConfigurationUnreadable(
      `this user may not read ${files.unreadable.join(', ')}: run this as one that may, such as root`,
    );
  }
  writeExample(file, exampleFor(found, resolve(root)).replaceAll('parapet shield', name));
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
  say(`Wrote ${file}. Edit it, then run \`${name} check --config ${file}\`.`);
}

/** Parts of the firewall's configuration are missing or hidden from this user: what the rest says may be wrong. */
class ConfigurationUnreadable extends Error {
  override readonly name = 'ConfigurationUnreadable';
}
