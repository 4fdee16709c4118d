import type { PostgresCapture } from '../../../captures/postgres.ts';
import type { PostgresSpecialObject } from '../../../captures/postgres-rights.ts';
import type { Severity } from '../../../contract/severity.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { databaseSubject } from '../database-subject.ts';
import { isOfProvider, providerOf } from '../provider.ts';
import { observeEach, rowsOf } from '../reading.ts';
import { privilegesChecks as checks } from './checks.ts';
import { detectMembers } from './members.ts';

const { superuserMember: _, predefinedMember: __, parameter: ___, ...ofDatabase } = checks;

/** Privileges that are worth more than they seem: memberships, functions for superusers, defaults for everyone. */
export const postgresPrivilegesDetector: Detector<PostgresCapture> = {
  name: 'postgres.privileges',
  surface: 'postgres',
  checks: Object.values(checks),
  perSubject: databaseSubject(Object.values(ofDatabase)),
  detect: detecting((found, capture) => {
    detectMembers(found, capture);
    detectFunctions(found, capture);
    detectParameters(found, capture);
    detectCreation(found, capture);
    detectDatabases(found, capture);
    detectSpecialObjects(found, capture);
  }),
};

/** Functions that reach files and other servers. The others operate the server. */
const reachesFiles = /^(?:lo_|pg_file_|dblink_|pg_read_|pg_logdir_ls$)/;
/** What roles for scans have: the times of files, but not their content. */
const ofScans = new Set(['pg_stat_file']);

function detectFunctions(found: DetectionBuilder, capture: PostgresCapture): void {
  const check = checks.privilegedFunction;
  const provider = providerOf(capture);
  const roles = rowsOf(found, [check], capture.roles);
  const ofApi = new Set(roles.filter(({ of_api }) => of_api).map(({ name }) => name));
  const isOpen = (role: string) => role === 'PUBLIC' || ofApi.has(role);
  const places = rowsOf(found, [check], capture.privileged_functions)
    .filter(({ name, role }) => !isOfProvider(provider, role) && (isOpen(role) || !ofScans.has(name)))
    .map(({ name, role }) => {
      const open = isOpen(role);
      return {
        locator: `function ${name} for ${role}`,
        seen: `${open ? 'Everyone can' : `The role ${quoted(role, 80)} may`} execute ${name}${open ? `, as ${quoted(role, 80)}` : ''}.`,
        severity: severityOf(reachesFiles.test(name), open),
      };
    });
  observeEach(found, check, places);
}

function severityOf(files: boolean, open: boolean): Severity {
  if (files) return open ? 'high' : 'medium';
  return open ? 'medium' : 'info';
}

/** Settings with which a role runs programs or loads code. */
const runsCode = /(?:_command|_preload_libraries|_library|_library_path|_control_path|^jit_provider)$/;

function detectParameters(found: DetectionBuilder, capture: PostgresCapture) {
  const check = checks.parameter;
  if (Number.parseInt(capture.server.version, 10) < 15)
    return found.doesNotApply([check], 'Before version 15, settings cannot be granted.');
  const provider = providerOf(capture);
  observeEach(
    found,
    check,
    rowsOf(found, [check], capture.parameter_privileges)
      .filter(({ role }) => !isOfProvider(provider, role))
      .map(({ name, role, alter_system }) => ({
        locator: `setting ${name} for ${role}`,
        seen: `${quoted(role, 80)} may set ${quoted(name, 80)}${alter_system ? ' for the whole server' : ''}.`,
        ...parameterSeverity(name, alter_system),
      })),
  );
}

function parameterSeverity(name: string, alterSystem: boolean): { readonly severity?: Severity } {
  if (runsCode.test(name)) return { severity: 'high' };
  return alterSystem ? {} : { severity: 'low' };
}

/** CREATE for roles of an API, on the database and its schemas. */
function detectCreation(found: DetectionBuilder, capture: PostgresCapture): void {
  const check = checks.apiCreate;
  const provider = providerOf(capture);
  const current = rowsOf(found, [check], capture.databases).filter(
    ({ name }) => name === capture.server.database,
  );
  const schemas = rowsOf(found, [check], capture.schemas).filter(
    ({ name }) => !provider?.schemas.includes(name),
  );
  const places = [
    ...current.map(({ name, api_creators }) => ({ place: `database ${name}`, api_creators })),
    ...schemas.map(({ name, api_creators }) => ({ place: `schema ${name}`, api_creators })),
  ].filter(({ api_creators }) => api_creators.length > 0);
  observeEach(
    found,
    check,
    places.map(({ place, api_creators }) => ({
      locator: place,
      seen: `The API’s roles ${quoted(api_creators.join(', '), 120)} have CREATE on the ${quoted(place, 100)}.`,
    })),
  );
}

/** Databases that services keep for themselves, and the one for administrators. */
const forAdministration = new Set([
  ...['postgres', 'rdsadmin', 'cloudsqladmin', 'alloydbadmin', 'alloydbmetadata', 'azure_maintenance'],
  ...['azure_sys', '_supabase'],
]);

function detectDatabases(found: DetectionBuilder, capture: PostgresCapture): void {
  const { databaseCreate, databaseTemporary, otherDatabases } = checks;
  const all = rowsOf(found, [databaseCreate, databaseTemporary, otherDatabases], capture.databases);
  const { database } = capture.server;
  for (const { name, public_may_create, public_may_create_temporary } of all) {
    if (name !== database) continue;
    const locator = `database ${name}`;
    if (public_may_create)
      found.observe(databaseCreate, locator, `PUBLIC has CREATE on the database ${quoted(name, 80)}.`);
    if (public_may_create_temporary)
      found.observe(databaseTemporary, locator, `PUBLIC has TEMPORARY on the database ${quoted(name, 80)}.`);
  }
  const others = all.filter(
    ({ name, is_template }) => name !== database && !is_template && !forAdministration.has(name),
  );
  if (others.length === 0) return;
  const names = others.slice(0, 5).map(({ name }) => quoted(name, 40));
  const seen = `This scan read ${quoted(database, 40)} only. The server also has ${names.join(', ')}${others.length > 5 ? ' and more' : ''}.`;
  found.observe(otherDatabases, 'other databases', seen);
}

function detectSpecialObjects(found: DetectionBuilder, capture: PostgresCapture): void {
  const { defaultPrivileges, eventTrigger, publication, largeObjects } = checks;
  const all = [defaultPrivileges, eventTrigger, publication, largeObjects];
  const provider = providerOf(capture);
  const objects = rowsOf(found, all, capture.special_objects);
  const of = (kind: PostgresSpecialObject['kind']) => objects.filter(object => object.kind === kind);
  observeEach(
    found,
    defaultPrivileges,
    of('default privilege')
      // The service sets these for its own roles.
      .filter(({ owner }) => owner === null || !isOfProvider(provider, owner))
      .map(({ name, role, detail }) => ({
        locator: `default privilege for ${role} on ${name}`,
        seen: `${quoted(role ?? '', 80)} gets ${quoted(detail, 120)} on new ${quoted(name, 160)}.`,
        // Row security may protect the rows.
        ...(role === 'PUBLIC' ? {} : { severity: 'low' as const }),
      })),
  );
  observeEach(
    found,
    eventTrigger,
    of('event trigger')
      .filter(({ owner }) => owner === null || !isOfProvider(provider, owner))
      .map(({ name, owner }) => ({
        locator: `event trigger ${name}`,
        seen: `The event trigger ${quoted(name, 80)} calls a function of ${quoted(owner ?? '', 80)}, who is no superuser.`,
      })),
  );
  observeEach(
    found,
    publication,
    of('publication').map(({ name }) => ({
      locator: `publication ${name}`,
      seen: `The publication ${quoted(name, 80)} is for all tables.`,
    })),
  );
  observeEach(
    found,
    largeObjects,
    of('large object').map(({ role, detail }) => ({
      locator: `large objects for ${role}`,
      seen: `${quoted(role ?? '', 80)} has ${quoted(detail, 60)} on at least one large object.`,
    })),
  );
}
