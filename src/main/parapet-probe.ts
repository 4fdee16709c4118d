#!/usr/bin/env node
import { isSea } from 'node:sea';
import { Command } from 'commander';
import { addProbeCommands } from '../probe/commands/probe.ts';
import { runGivenProgram } from '../sandbox/run-given-program.ts';
import { runSpawner } from '../sandbox/run-spawner.ts';
import { givenProgram } from '../sandbox/spawn.ts';
import { addShieldCommands } from '../shield/commands.ts';
import { agentErrors } from './agent-errors.ts';
import { assertRunnableByOthers } from './assert-runnable.ts';
import { probeUserAgent } from './probe-user-agent.ts';

// The agents in one file, without the service: run by Node, or as an executable that contains it.

/** Set by the build. */
declare const SANDBOX_PROGRAM: string;
declare const VERSION: string;

const spawnerArgument = 'run-spawner';
const [, , first, second] = process.argv;

if (first === givenProgram) runGivenProgram();
else if (first === spawnerArgument) runSpawner(Buffer.from(SANDBOX_PROGRAM), second!);
else void runProbe();

async function runProbe(): Promise<void> {
  const program = new Command('parapet-probe')
    .description(
      'Assesses databases and websites in this network, or reports what a firewall sees, to Parapet',
    )
    .version(VERSION)
    .showHelpAfterError('Run parapet-probe --help for a list of commands.');
  const spawner = isSea()
    ? { module: spawnerArgument, args: [] }
    : { module: process.argv[1]!, args: [spawnerArgument] };
  const sandbox = { spawner, userAgent: probeUserAgent(VERSION) };
  addProbeCommands(program, { name: 'parapet-probe', version: VERSION, sandbox });
  const shield = program.command('shield').description('report what a web application firewall sees');
  addShieldCommands(shield, { name: 'parapet-probe shield', version: VERSION });
  const expected = new Set<string>([...agentErrors, 'NotRunnableByOthers']);
  try {
    // Shield starts no sandbox process.
    if (first !== 'shield') assertRunnableByOthers(process.execPath);
    await program.parseAsync();
  } catch (error) {
    const isExpected = error instanceof Error && (expected.has(error.name) || 'code' in error);
    process.stderr.write(
      `parapet-probe: ${isExpected ? error.message : ((error as Error)?.stack ?? error)}\n`,
    );
    process.exit(1);
  }
}
