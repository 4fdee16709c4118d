import type { PostgresCapture, PostgresRole } from '../../../captures/postgres.ts';
import type { PostgresMembership } from '../../../captures/postgres-rights.ts';
import type { Severity } from '../../../contract/severity.ts';
import { type DetectionBuilder, quoted } from '../../detection.ts';
import { isOfProvider, type Provider, providerOf } from '../provider.ts';
import { observeEach, rowsOf } from '../reading.ts';
import { privilegesChecks as checks } from './checks.ts';

/**
 * How much each predefined role permits. Those for files and programs have a separate check, and those that roles for
 * scans and monitoring have (`pg_read_all_settings`, `pg_read_all_stats`) are no flaw.
 */
const predefinedRoles: ReadonlyMap<string, { readonly severity: Severity; readonly permits: string }> =
  new Map([
    ['pg_write_all_data', { severity: 'medium', permits: 'changes every table' }],
    ['pg_read_all_data', { severity: 'low', permits: 'reads every table' }],
    ['pg_create_subscription', { severity: 'medium', permits: 'makes the server connect elsewhere' }],
    ['pg_maintain', { severity: 'low', permits: 'locks and rewrites every table' }],
    ['pg_signal_backend', { severity: 'low', permits: 'ends other roles’ sessions' }],
    [
      'pg_use_reserved_connections',
      { severity: 'low', permits: 'uses the connections kept for emergencies' },
    ],
    ['pg_checkpoint', { severity: 'info', permits: 'starts checkpoints' }],
    ['pg_signal_autovacuum_worker', { severity: 'info', permits: 'ends autovacuum' }],
    ['pg_monitor', { severity: 'info', permits: 'reads all statistics, with queries of other roles' }],
    ['pg_stat_scan_tables', { severity: 'info', permits: 'locks tables for statistics' }],
  ]);

/** Memberships, also through other roles, that are worth as much as an attribute. */
export function detectMembers(found: DetectionBuilder, capture: PostgresCapture): void {
  const both = [checks.superuserMember, checks.predefinedMember];
  const provider = providerOf(capture);
  const grants = rowsOf(found, both, capture.memberships).filter(isUsable);
  const roles = new Map(rowsOf(found, both, capture.roles).map(role => [role.name, role]));
  const users = usersOf(grants, roles);
  const usersText = (member: string) => {
    const others = (users.get(member) ?? []).filter(name => name !== member);
    if (others.length === 0) return '';
    const named = others.slice(0, 3).map(name => quoted(name, 40));
    return `, and through it ${named.join(', ')}${others.length > 3 ? ' and more' : ''}`;
  };
  const isForSale = ({ member }: PostgresMembership) => {
    const role = roles.get(member);
    return role !== undefined && !role.superuser && users.has(member) && !ofService(role, provider);
  };
  observeEach(
    found,
    checks.superuserMember,
    grants
      .filter(grant => roles.get(grant.role)?.superuser && isForSale(grant))
      .map(({ role, member }) => ({
        locator: `role ${member} in ${role}`,
        seen: `The role ${quoted(member, 80)}${usersText(member)} can use the superuser ${quoted(role, 80)}.`,
      })),
  );
  observeEach(
    found,
    checks.predefinedMember,
    grants.filter(isForSale).flatMap(({ role, member }) => {
      const predefined = predefinedRoles.get(role);
      if (predefined === undefined) return [];
      const open = [member, ...(users.get(member) ?? [])].some(name => roles.get(name)?.of_api);
      const seen = `The role ${quoted(member, 80)}${usersText(member)} is a member of ${role}, which ${predefined.permits}.`;
      return [
        {
          locator: `role ${member} in ${role}`,
          seen: open ? `${seen} An API uses it.` : seen,
          severity: open && predefined.severity !== 'info' ? ('high' as const) : predefined.severity,
        },
      ];
    }),
  );
}

const isUsable = ({ admin, inherits, can_set }: PostgresMembership) => admin || inherits || can_set;

/** The service’s own roles, and its customers’ administrators. */
function ofService({ name, member_of }: PostgresRole, provider: Provider | undefined): boolean {
  return (
    isOfProvider(provider, name) ||
    (provider?.administrators.some(administrator => member_of.includes(administrator)) ?? false)
  );
}

/**
 * For each role with which someone can sign in, directly or as a member of a member, the first few who can. Every role
 * passes on a few names, so that the work stays linear.
 */
function usersOf(
  grants: readonly PostgresMembership[],
  roles: ReadonlyMap<string, PostgresRole>,
): ReadonlyMap<string, readonly string[]> {
  const most = 4;
  const groups = new Map<string, string[]>();
  for (const { role, member } of grants) {
    const known = groups.get(member);
    if (known) known.push(role);
    else groups.set(member, [role]);
  }
  const users = new Map<string, string[]>();
  const open: [role: string, user: string][] = [...roles.values()]
    .filter(role => role.can_log_in)
    .map(({ name }) => [name, name]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [role, user] = next;
    const known = users.get(role) ?? [];
    if (known.length >= most || known.includes(user)) continue;
    users.set(role, [...known, user]);
    for (const group of groups.get(role) ?? []) open.push([group, user]);
  }
  return users;
}
