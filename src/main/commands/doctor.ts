import type { Command } from 'commander';
import type { Storage } from '../../storage/storage.ts';
import { type DataOption, print, withData, withStorage } from './operator.ts';

interface Check {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

export function addDoctor(program: Command): void {
  withData(
    program.command('doctor').description('check the installation, and that no audit entry was altered'),
  )
    .option('--json', 'print JSON')
    .action(run);
}

/** Exit status 1 when a check fails, so that it can stand in a cron job. */
async function run(options: DataOption & { json?: boolean }): Promise<void> {
  const checks = await withStorage(options, examine);
  print(options.json, { checks }, () =>
    checks.map(({ check, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${check}: ${detail}`).join('\n'),
  );
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

async function examine(storage: Storage): Promise<Check[]> {
  const broken = await storage.system.brokenAuditChains();
  const organizations = await storage.system.listOrganizations();
  const server = await storage.system.describeServer();
  return [
    { check: 'database', ok: true, detail: `PostgreSQL ${server.version}, schema at ${server.migration}` },
    {
      check: 'durability',
      ok: server.fsync,
      detail: server.fsync ? 'fsync is on' : 'fsync is off: a crash of the machine loses acknowledged writes',
    },
    {
      check: 'row-level security',
      ok: !server.bypassesRowSecurity,
      detail: server.bypassesRowSecurity
        ? "the service's roles bypass it"
        : "the service's roles are subject to it",
    },
    await examineMasterKeys(storage),
    {
      check: 'audit chains',
      ok: broken.length === 0,
      detail:
        broken.length === 0
          ? `hold for ${organizations.length} organizations`
          : broken
              .slice(0, 20)
              .map(
                entry => `organization ${entry.organization_id}, entry ${entry.sequence}: ${entry.problem}`,
              )
              .join('; '),
    },
  ];
}

/** A record whose master key is lost cannot be opened by anybody. */
async function examineMasterKeys({ system, keyRing }: Storage): Promise<Check> {
  const inUse = await system.masterKeysInUse();
  const current = await keyRing.current();
  const missing: string[] = [];
  for (const { id, records } of inUse) {
    if (!(await keyRing.find(id))) missing.push(`${records} records are under key ${id}`);
  }
  const waiting = inUse.filter(({ id }) => id !== current.id).length > 0;
  const held = waiting ? 'all are here; keys rotate-master has not ended' : `${current.id} wraps everything`;
  return {
    check: 'master keys',
    ok: missing.length === 0,
    detail: missing.length > 0 ? `${missing.join(', ')}, which is not here` : held,
  };
}
