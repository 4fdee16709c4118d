#!/usr/bin/env node
import { Command } from 'commander';
import { version } from '../domain/version.ts';
import { agentErrors } from './agent-errors.ts';
import { probeUserAgent } from './probe-user-agent.ts';

/** Loaded on demand: client commands start faster without the libraries of the service. */
const commands = new Map<string, (program: Command) => Promise<void>>(
  Object.entries({
    serve: async (program: Command) => (await import('./commands/serve.ts')).addServe(program),
    demo: async (program: Command) => (await import('./commands/demo.ts')).addDemo(program),
    migrate: async (program: Command) => (await import('./commands/migrate.ts')).addMigrate(program),
    backup: async (program: Command) => (await import('./commands/backup.ts')).addBackup(program),
    restore: async (program: Command) => (await import('./commands/backup.ts')).addRestore(program),
    doctor: async (program: Command) => (await import('./commands/doctor.ts')).addDoctor(program),
    admin: async (program: Command) => (await import('./commands/admin.ts')).addAdmin(program),
    health: async (program: Command) => (await import('./commands/health.ts')).addHealth(program),
    organizations: async (program: Command) =>
      (await import('./commands/organizations.ts')).addOrganizations(program),
    people: async (program: Command) => (await import('./commands/people.ts')).addPeople(program),
    keys: async (program: Command) => (await import('./commands/keys.ts')).addKeys(program),
    checks: async (program: Command) => (await import('./commands/checks.ts')).addChecks(program),
    probe: async (program: Command) => {
      const commands = program.command('probe').description('assess targets in this network, and report');
      const userAgent = probeUserAgent(version);
      (await import('../probe/commands/probe.ts')).addProbeCommands(commands, {
        name: 'parapet probe',
        version,
        sandbox: { userAgent },
      });
    },
    shield: async (program: Command) => {
      const commands = program.command('shield').description('report what a web application firewall sees');
      (await import('../shield/commands.ts')).addShieldCommands(commands, {
        name: 'parapet shield',
        version,
      });
    },
    call: async (program: Command) => (await import('../cli/commands/call.ts')).addCall(program),
    scan: async (program: Command) => {
      const { checkById: describe } = await import('../detectors/catalogue.ts');
      const { describeCause } = await import('../domain/scan-causes.ts');
      (await import('../cli/commands/scan.ts')).addScan(program, { describe, describeCause, version });
    },
    mcp: async (program: Command) => {
      const { describeCause } = await import('../domain/scan-causes.ts');
      const describe = async (category: string) =>
        (await import('../detectors/catalogue.ts')).checkById(category);
      (await import('../cli/commands/mcp.ts')).addMcp(program, { describe, describeCause, version });
    },
  }),
);

const program = new Command('parapet')
  .description('Self-hosted security-posture control plane')
  .version(version)
  // Options behind a command are those of that command, also where the command above has one of the same name.
  .enablePositionalOptions()
  .showHelpAfterError('Run parapet --help for a list of commands.');

const actionable = new Set<string>([
  'ConfigurationError',
  'StorageError',
  'DatabaseUnavailable',
  'PrivatePostgresError',
  'AllowlistError',
  'ClientError',
  'SecretUnreadable',
  'ServiceNotReady',
  ...agentErrors,
]);

/** Whether the system refused a file or folder, such as one that this user may not write: `message` has its path. */
function isOfFile(error: NodeJS.ErrnoException): boolean {
  return error.syscall !== undefined && error.path !== undefined;
}

/** Whether PostgreSQL lacks room, memory or connections (class 53 of its errors). */
function isOfServer(error: NodeJS.ErrnoException): boolean {
  return error.name === 'error' && /^53\d{3}$/.test(error.code ?? '');
}

try {
  const named = commands.get(process.argv[2] ?? '');
  for (const add of named ? [named] : commands.values()) await add(program);
  await program.parseAsync();
} catch (error) {
  // Errors that the operator can fix print one line; any other error is a bug and prints its stack.
  const expected =
    error instanceof Error && (actionable.has(error.name) || isOfFile(error) || isOfServer(error));
  const { forTerminal } = await import('../cli/terminal.ts');
  const text = expected ? error.message : ((error as Error)?.stack ?? error);
  process.stderr.write(`parapet: ${forTerminal(String(text))}\n`);
  process.exit(1);
}
