import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { auditProblemTexts } from '../../contract/dashboard/audit-problems.ts';
import { verifyAuditChain } from '../../database/audit-chain.ts';
import type { AuditHead, BrokenAnchor } from '../../database/audit-heads.ts';
import type { Replica } from '../../database/replica.ts';
import { MailFailed } from '../../messages/mail/mail.ts';
import { type SmtpSettings, smtpMailer } from '../../messages/mail/smtp.ts';
import { describeKeys, findMissingKeys } from '../../resources/credentials/missing-keys.ts';
import { measureSizes } from '../../resources/installation/sizes.ts';
import type { Storage } from '../../resources/storage.ts';
import { readConfiguration } from '../configuration.ts';
import { examineBackups } from '../examine-backups.ts';
import { operator } from '../operator.ts';
import { readAnchors } from '../read-anchors.ts';
import { type DataOption, print, withData, withStorage } from './operator.ts';
import { sizesDocument, sizesText } from './sizes.ts';

interface Check {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

interface Options extends DataOption {
  readonly json?: boolean;
  readonly anchor?: string;
  readonly sizes?: boolean;
}

export function addDoctor(program: Command): void {
  withData(program.command('doctor').description('check the installation and verify the audit log'))
    .option('--json', 'print JSON')
    .option(
      '--anchor <file>',
      'compare the audit log with anchors from a service log or an earlier doctor --json',
    )
    .addOption(
      new Option('--sizes', 'show what takes space, by table and organization, instead').conflicts('anchor'),
    )
    .action(run);
}

/** Exits with status 1 when a check fails, for cron jobs and monitoring. */
async function run(options: Options): Promise<void> {
  if (options.sizes) {
    const sizes = await withStorage(options, (_storage, owner) => measureSizes(owner));
    return print(options.json, sizesDocument(sizes), () => sizesText(sizes));
  }
  const { smtp } = readConfiguration(process.env);
  const { checks, heads } = await withStorage(
    options,
    async storage => {
      const anchored = options.anchor === undefined ? [] : [await examineAnchors(storage, options.anchor)];
      return {
        checks: [...(await examine(storage, smtp)), ...anchored],
        heads: options.json ? await allHeads(storage) : [],
      };
    },
    { usesReplica: true },
  );
  print(options.json, { checks, audit_heads: heads }, () =>
    checks.map(({ check, ok, detail }) => `${ok ? 'ok  ' : 'FAIL'}  ${check}: ${detail}`).join('\n'),
  );
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

/** Connects to the mail server and signs in, without sending anything. */
async function examineMail(smtp: SmtpSettings): Promise<Check> {
  const mailer = smtpMailer(smtp);
  try {
    await mailer.verify();
    return { check: 'mail server', ok: true, detail: `${smtp.host}:${smtp.port} accepts mail` };
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error;
    return { check: 'mail server', ok: false, detail: `${smtp.host}:${smtp.port}: ${error.code}` };
  } finally {
    mailer.close();
  }
}

/** Long enough to notice a replica that does not keep up, in milliseconds. */
const longestLagMs = 5_000;

async function examineReplica(replica: Replica): Promise<Check> {
  const until = performance.now() + longestLagMs;
  while (!replica.status.isUsable && performance.now() < until) await pause(100);
  const { isUsable, lagSeconds, problem } = replica.status;
  const lag = lagSeconds === undefined ? 'it does not answer' : `it is ${lagSeconds.toFixed(1)} s behind`;
  const detail = problem ?? (isUsable ? lag : `${lag}: reads use the primary`);
  return { check: 'replica', ok: isUsable, detail };
}

async function examine(storage: Storage, smtp: SmtpSettings | undefined): Promise<Check[]> {
  const organizations = await storage.system.listOrganizations();
  const broken = await brokenChains(storage, organizations);
  const server = await storage.system.describeServer();
  return [
    { check: 'database', ok: true, detail: `PostgreSQL ${server.version}, schema at ${server.migration}` },
    {
      check: 'durability',
      ok: server.fsync,
      detail: server.fsync ? 'fsync is on' : 'fsync is off: a machine crash can lose acknowledged writes',
    },
    {
      check: 'row-level security',
      ok: !server.bypassesRowSecurity,
      detail: server.bypassesRowSecurity ? 'the service roles bypass it' : 'applies to the service roles',
    },
    await examineLocks(storage),
    await examineMasterKeys(storage),
    { check: 'backups', ...(await examineBackups(storage)) },
    ...(storage.replica ? [await examineReplica(storage.replica)] : []),
    ...(smtp ? [await examineMail(smtp)] : []),
    {
      check: 'audit chains',
      ok: broken.length === 0,
      detail: broken.length === 0 ? `valid for ${organizations.length} organizations` : listed(broken),
    },
  ];
}

/**
 * Finds broken chains, and chains that the tenant role sees differently from the system role. A database owner can cause the latter with a
 * row-level security policy, and the anchors would then be compared with entries that the dashboard never shows.
 */
async function brokenChains(
  storage: Storage,
  organizations: readonly { readonly id: string }[],
): Promise<BrokenEntry[]> {
  const { system } = storage;
  const broken: BrokenEntry[] = await system.brokenAuditChains();
  const heads = new Map((await allHeads(storage)).map(head => [head.organization_id, head.sequence]));
  for (const { id: organization_id } of organizations) {
    if (broken.some(entry => entry.organization_id === organization_id)) continue;
    const shown = await verifyAuditChain(storage.tenant(organization_id, operator));
    const [sequence, hash] = [shown.entries, shown.head];
    const known = shown.holds ? await system.brokenAnchors([{ organization_id, sequence, hash }]) : [];
    const isShort = sequence < (heads.get(organization_id) ?? 0);
    const problem = shown.problem ?? known[0]?.problem ?? (isShort ? 'cut_off' : undefined);
    if (problem) broken.push({ organization_id, sequence, problem, shown: true });
  }
  return broken;
}

const problemTexts = {
  ...auditProblemTexts,
  missing: 'an anchored entry is missing',
  rewritten: 'an anchored entry has a different hash',
  cut_off: 'entries at the end are missing',
} as const;

interface BrokenEntry {
  readonly organization_id: string;
  readonly sequence: number;
  readonly problem: keyof typeof problemTexts;
  /** Only as the tenant role sees the chain. */
  readonly shown?: true;
}

function listed(broken: readonly BrokenEntry[]): string {
  return broken
    .slice(0, 20)
    .map(({ organization_id, sequence, problem, shown }) => {
      const where = shown ? ' as shown in the dashboard' : '';
      return `organization ${organization_id}, entry ${sequence}: ${problemTexts[problem]}${where}`;
    })
    .join('; ');
}

async function allHeads({ system }: Storage): Promise<AuditHead[]> {
  const heads: AuditHead[] = [];
  for await (const batch of system.auditHeads()) heads.push(...batch);
  return heads;
}

/** Detects a chain that the owner of the database rewrote or truncated, which hashes alone cannot show. */
async function examineAnchors({ system }: Storage, path: string): Promise<Check> {
  const check = 'audit anchors';
  let compared = 0;
  let cut = 0;
  let broken: BrokenAnchor[] = [];
  const deleted = new Set<string>();
  const onCut = () => {
    cut += 1;
  };
  try {
    for await (const anchors of readAnchors(path, onCut, id => void deleted.add(id))) {
      compared += anchors.length;
      broken.push(...(await system.brokenAnchors(anchors)));
    }
  } catch (error) {
    if ((error as { syscall?: string }).syscall === undefined) throw error;
    return { check, ok: false, detail: `${path} cannot be read: ${(error as Error).message}` };
  }
  // An organization that still exists cannot hide behind a line about its deletion.
  for (const { id, deleted_at, erasing_since } of await system.allOrganizations()) {
    if (deleted_at === null || erasing_since === null) deleted.delete(id);
    else deleted.add(id);
  }
  broken = broken.filter(({ organization_id }) => !deleted.has(organization_id));
  if (broken.length > 0) return { check, ok: false, detail: listed(broken) };
  if (cut > 0)
    return { check, ok: false, detail: `${compared} anchors match, but ${cut} lines of anchors are cut` };
  if (compared === 0) return { check, ok: false, detail: `${path} has no audit heads` };
  const without = deleted.size > 0 ? `, except those of ${deleted.size} deleted organizations` : '';
  return { check, ok: true, detail: `${compared} anchors match${without}` };
}

/** With two connections: nonces, limits and the order of the audit log depend on it. */
async function examineLocks({ system }: Storage): Promise<Check> {
  const faults = await system.lockFaults();
  const detail =
    faults.length === 0 ? 'locks exclude each other, and uncommitted rows are hidden' : faults.join('; ');
  return { check: 'locks and isolation', ok: faults.length === 0, detail };
}

/** A record whose master key is missing cannot be decrypted. */
async function examineMasterKeys({ system, keyRing }: Storage): Promise<Check> {
  const check = 'master keys';
  const { keys, failure } = await findMissingKeys(system, keyRing);
  const missing = keys.filter(({ id }) => !keyRing.lost.includes(id));
  if (missing.length > 0) {
    const detail = `missing: ${describeKeys(missing)}. ${failure?.message ?? keyRing.remedy}`;
    return { check, ok: false, detail };
  }
  const inUse = await system.masterKeysInUse();
  if (inUse.length === 0) return { check, ok: true, detail: 'nothing is encrypted yet' };
  const lost = keys.length > 0 ? `; declared lost: ${describeKeys(keys)}` : '';
  const { id: current } = await keyRing.current();
  const isRotated = inUse.every(({ id }) => id === current || keyRing.lost.includes(id));
  const state = isRotated
    ? `all records use ${current}`
    : 'all present; a rotation is unfinished: run parapet keys rotate-master';
  return { check, ok: true, detail: `${state}${lost}` };
}
