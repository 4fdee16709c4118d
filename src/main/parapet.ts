#!/usr/bin/env node
import { Command } from 'commander';
import { addCall } from '../cli/commands/call.ts';
import { addScan } from '../cli/commands/scan.ts';
import { checkById } from '../detectors/catalogue.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addKeys } from './commands/keys.ts';
import { addMigrate } from './commands/migrate.ts';
import { addOrganizations } from './commands/organizations.ts';
import { addServe } from './commands/serve.ts';
import { version } from './version.ts';

const program = new Command('parapet')
  .description('Self-hosted security-posture control plane')
  .version(version)
  .showHelpAfterError('(parapet --help lists the commands)');
addServe(program);
addDemo(program);
addMigrate(program);
addDoctor(program);
addOrganizations(program);
addKeys(program);
addCall(program);
addScan(program, { describe: checkById, version });

const actionable = new Set([
  'ConfigurationError',
  'StorageError',
  'PrivatePostgresError',
  'AllowlistError',
  'ClientError',
]);

try {
  await program.parseAsync();
} catch (error) {
  // What the operator can act on is one line; anything else is a fault of ours, and its trace helps.
  const expected = error instanceof Error && actionable.has(error.name);
  process.stderr.write(`parapet: ${expected ? error.message : ((error as Error)?.stack ?? error)}\n`);
  process.exit(1);
}
