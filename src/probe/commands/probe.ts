import type { Command } from 'commander';
import { requirePrivateFiles } from '../../agent/private-files.ts';
import { requireUsableProxy } from '../../agent/service-connection.ts';
import { writeExample } from '../../agent/write-example.ts';
import { writeLog as log } from '../../agent/write-log.ts';
import { checkProbe } from '../check.ts';
import { type ProbeConfiguration, readConfiguration } from '../configuration.ts';
import { exampleConfiguration } from '../example.ts';
import { Probe, type ProbeParts } from '../probe.ts';

const defaultFile = '/etc/parapet/probe.yaml';

export interface ProbeProgram extends Omit<ProbeParts, 'log'> {
  /** How the commands are called, such as `parapet probe`. */
  readonly name: string;
}

/** Milliseconds in which `--once` sends its events. */
const sendOnceMs = 60_000;

/** Exit status of `--once` if a target could not be assessed, and all events were sent. */
const exitNotAssessed = 2;

/** Adds the commands of the probe. */
export function addProbeCommands(program: Command, parts: ProbeProgram): void {
  program
    .command('run')
    .description('assess the configured targets and report to the service')
    .option('--config <file>', 'configuration file', defaultFile)
    .option(
      '--once',
      'assess every target once, send the events and exit: 0, 1 if events were not sent, 2 if a target failed',
      false,
    )
    .action(({ config, once }: { config: string; once: boolean }) => run(config, once, parts));
  program
    .command('check')
    .description('test the configuration and every target, and print what would be sent')
    .option('--config <file>', 'configuration file', defaultFile)
    .action(async ({ config }: { config: string }) => {
      process.exitCode = (await checkProbe(readConfiguration(config, parts.name), parts)) ? 0 : 1;
    });
  program
    .command('init')
    .description('write an annotated configuration file')
    .option('--config <file>', 'file to write', defaultFile)
    .option('--print', 'print it instead', false)
    .action(({ config, print }: { config: string; print: boolean }) => {
      const text = exampleConfiguration.replaceAll('parapet probe', parts.name);
      if (print) process.stdout.write(text);
      else {
        writeExample(config, text);
        process.stdout.write(
          `Wrote ${config}. Edit it, then run \`${parts.name} check --config ${config}\`.\n`,
        );
      }
    });
}

async function run(file: string, once: boolean, parts: ProbeProgram): Promise<void> {
  let configuration = readConfiguration(file, parts.name);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  if (once) return runOnce(configuration, parts, stop.signal);
  let reload = new AbortController();
  let rereading = Promise.resolve();
  process.on('SIGHUP', () => {
    rereading = rereading.then(async () => {
      const next = await reread(file, configuration, parts.name);
      if (!next) return;
      configuration = next;
      reload.abort();
    });
  });
  for (let now = false; !stop.signal.aborted; now = true) {
    reload = new AbortController();
    const probe = await Probe.open(configuration, { ...parts, log });
    const { name, targets } = configuration;
    log(now ? 'probe.reloaded' : 'probe.started', { name, targets: targets.length });
    await probe.run(AbortSignal.any([stop.signal, reload.signal]), now);
    if (stop.signal.aborted) await probe.finish();
    await probe.close();
  }
  log('probe.stopped', {});
}

/** Undefined if the file, or what it names, cannot be used: the probe continues with its configuration. */
async function reread(
  file: string,
  { spool }: ProbeConfiguration,
  program: string,
): Promise<ProbeConfiguration | undefined> {
  try {
    const next = readConfiguration(file, program);
    await requirePrivateFiles(next);
    requireUsableProxy(next.service);
    if (next.spool.folder === spool.folder) return next;
    log('probe.not_reloaded', { message: 'spool.folder has changed: restart the probe to use it' });
  } catch (error) {
    log('probe.not_reloaded', { message: (error as Error).message });
  }
  return undefined;
}

async function runOnce(
  configuration: ProbeConfiguration,
  parts: ProbeProgram,
  signal: AbortSignal,
): Promise<void> {
  const probe = await Probe.open(configuration, { ...parts, log });
  const { isSent, failing } = await probe.runOnce(signal, sendOnceMs);
  const waiting = probe.waitingEvents;
  await probe.close();
  if (failing.length > 0) {
    const names = failing.map(({ name, errorCode }) => `${name} (${errorCode ?? 'failed'})`);
    process.stderr.write(`${parts.name}: not assessed: ${names.join(', ')}\n`);
    process.exitCode = exitNotAssessed;
  }
  if (isSent) return;
  process.stderr.write(
    `${parts.name}: not sent: ${waiting} ${waiting === 1 ? 'event' : 'events'}. They stay in the spool for the next run.\n`,
  );
  process.exitCode = 1;
}
