import type { PostgresCapture, PostgresRole } from '../../../captures/postgres.ts';
import type { Severity } from '../../../contract/severity.ts';
import { detecting, quoted } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { isOfProvider, type Provider, providerOf } from '../provider.ts';
import { observeEach, rowsOf } from '../reading.ts';
import { rolesChecks as checks } from './checks.ts';

const serverFiles = ['pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'];

/** Powerful attributes and memberships of roles. Predefined roles are not in the capture. */
export const postgresRolesDetector: Detector<PostgresCapture> = {
  name: 'postgres.roles',
  surface: 'postgres',
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    const provider = providerOf(capture);
    const all = rowsOf(found, Object.values(checks), capture.roles);
    // The first superuser is expected to have all rights, and customers cannot change the service's roles.
    const roles = all.filter(role => !role.bootstrap && !isOfProvider(provider, role.name));
    const observe = (
      check: Check,
      isFlaw: (role: PostgresRole) => boolean,
      seen: string,
      severity?: Severity,
    ) => {
      const places = roles.filter(isFlaw).map(({ name }) => ({
        locator: `role ${name}`,
        seen: `The role ${quoted(name, 80)} ${seen}.`,
        ...(severity === undefined ? {} : { severity }),
      }));
      observeEach(found, check, places);
    };
    observe(checks.superuser, role => role.superuser && isUsable(role), 'is a superuser');
    const ordinary = (role: PostgresRole) => !role.superuser && isUsable(role);
    // Such as pg_execute_server_program, which makes it a superuser.
    const grantsAll = Number.parseInt(capture.server.version, 10) < 16;
    const administers = (role: PostgresRole) => isAdministrator(role, provider);
    observe(
      checks.createRole,
      role => ordinary(role) && role.create_role && !administers(role),
      grantsAll
        ? 'has CREATEROLE, and before version 16 can make itself a member of any role'
        : 'has CREATEROLE',
      grantsAll ? 'high' : undefined,
    );
    observe(
      checks.createDb,
      role => ordinary(role) && role.create_db && !role.create_role && !administers(role),
      'has CREATEDB',
    );
    observe(
      checks.replication,
      role => ordinary(role) && role.replication && doesMore(role) && !administers(role),
      'has REPLICATION and other duties',
    );
    observe(
      checks.bypassRls,
      role => ordinary(role) && role.bypass_rls && !administers(role),
      'has BYPASSRLS',
    );
    const { password_kinds } = capture;
    const withoutPassword = new Set(
      (password_kinds.assessed ? password_kinds.value.rows : [])
        .filter(({ kind }) => kind === 'none')
        .map(({ role }) => role),
    );
    observe(
      checks.noExpiry,
      role => role.can_log_in && !role.expires && !withoutPassword.has(role.name),
      'can sign in, and its password has no expiry date',
    );
    observe(
      checks.noLimit,
      role => role.can_log_in && !role.superuser && role.connection_limit < 0,
      'can sign in and has no connection limit',
    );
    for (const group of serverFiles) {
      const members = roles.filter(role => !role.superuser && role.member_of.includes(group));
      observeEach(
        found,
        checks.serverFiles,
        members.map(({ name }) => ({
          locator: `role ${name} in ${group}`,
          seen: `The role ${quoted(name, 80)} is a member of ${group}.`,
        })),
      );
    }
  }),
};

/** Whether the role can be used: by signing in, or by its members. */
const isUsable = ({ can_log_in, has_members }: PostgresRole) => can_log_in || has_members;

const doesMore = (role: PostgresRole) =>
  role.create_role || role.create_db || role.bypass_rls || role.owns_relations;

/** The customer's administrators on a managed service, whose rights replace those of a superuser. */
const isAdministrator = ({ member_of }: PostgresRole, provider: Provider | undefined) =>
  provider?.administrators.some(name => member_of.includes(name)) ?? false;
