import type { PostgresCapture } from '../../../captures/postgres.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { byReach } from '../../reach.ts';
import { reachOf } from '../exposure.ts';
import { providerOf } from '../provider.ts';
import { observeEach, rowsOf, settingOf, withSettings } from '../reading.ts';
import { configurationChecks as checks } from './checks.ts';
import { overrideRules } from './override-rules.ts';
import { settingRules } from './rules.ts';

/** Settings that weaken the server, for everyone or for a role or database. */
export const postgresConfigurationDetector: Detector<PostgresCapture> = {
  name: 'postgres.configuration',
  surface: 'postgres',
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    detectSettings(found, capture);
    detectOverrides(found, capture);
    detectModules(found, capture);
    detectSocket(found, capture);
  }),
};

/** Whether this version of the server has the setting. */
const has = ({ settings }: PostgresCapture, name: string) =>
  !settings.some(setting => setting.name === name && setting.absent);

function detectSettings(found: DetectionBuilder, capture: PostgresCapture): void {
  const provider = providerOf(capture);
  const ssl = settingOf(capture, 'ssl');
  const reach = reachOf(capture);
  for (const check of new Set(settingRules.map(rule => rule.check))) {
    const ofCheck = settingRules.filter(rule => rule.check === check && has(capture, rule.setting));
    const rules = provider === undefined ? ofCheck : ofCheck.filter(rule => !rule.ofService);
    if (check === checks.tlsCiphers && ssl.assessed && ssl.value !== 'on') {
      found.doesNotApply([check], 'The server offers no TLS of its own.');
      continue;
    }
    if (rules.length === 0) {
      const reason =
        provider === undefined || ofCheck.length === 0
          ? 'This version of the server has no such setting.'
          : `${provider.name} manages these settings.`;
      found.doesNotApply([check], reason);
      continue;
    }
    if (ofCheck.some(rule => rule.ofService) && !capture.roles.assessed)
      found.cannotAssess([check], `Whether a service runs the server is unknown. ${capture.roles.reason}`);
    for (const { setting, isFlaw, because, severity } of rules) {
      withSettings(found, [check], capture, [setting], value => {
        if (!isFlaw(value)) return;
        const shown = value === 'secret' ? '' : ` is ${quoted(value, 120)}`;
        const flaw = {
          seen: `${setting}${shown}: ${because}.`,
          ...(severity === undefined ? {} : { severity }),
        };
        const judged = check === checks.tlsCiphers ? byReach(check, reach, flaw) : flaw;
        found.observe(check, setting, judged.seen, judged.severity);
      });
    }
  }
}

function detectOverrides(found: DetectionBuilder, capture: PostgresCapture): void {
  const check = checks.override;
  const overrides = rowsOf(found, [check], capture.overrides);
  const schemas = rowsOf(found, [check], capture.schemas);
  const writable = new Set(schemas.filter(one => one.public_may_create).map(({ name }) => name));
  const rules = new Map(overrideRules.map(rule => [rule.setting, rule]));
  const places = overrides.flatMap(({ role, database, name, value }) => {
    const who = [
      ...(role === null ? [] : [`role ${role}`]),
      ...(database === null ? [] : [`database ${database}`]),
    ].join(' in ');
    const place = { locator: `${name} of ${who || 'all roles'}` };
    const rule = rules.get(name);
    if (rule?.isFlaw(value)) {
      const seen = `${name} is ${quoted(value, 80)} for the ${quoted(who || 'all roles', 140)}: ${rule.because}.`;
      return [{ ...place, seen, ...(rule.severity === undefined ? {} : { severity: rule.severity }) }];
    }
    const open =
      name === 'search_path'
        ? value
            .split(',')
            .map(unquoted)
            .find(one => writable.has(one))
        : undefined;
    if (open === undefined) return [];
    const seen = `The search_path of the ${quoted(who || 'all roles', 140)} contains ${quoted(open, 60)}, where every role can create objects.`;
    return [{ ...place, seen, severity: 'low' as const }];
  });
  observeEach(found, check, places);
}

const unquoted = (name: string) => name.trim().replace(/^"|"$/g, '');

/** Libraries that check passwords. */
const passwordModules = ['passwordcheck', 'credcheck', 'passwordcheck_extra', 'pg_password_policy'];

function detectModules(found: DetectionBuilder, capture: PostgresCapture) {
  const both: readonly Check[] = [checks.passwordChecks, checks.securityModule];
  const provider = providerOf(capture);
  if (provider !== undefined)
    return found.doesNotApply(both, `${provider.name} decides which modules the server can load.`);
  if (!capture.roles.assessed)
    found.cannotAssess(both, `Whether a service runs the server is unknown. ${capture.roles.reason}`);
  withSettings(found, both, capture, ['shared_preload_libraries'], libraries => {
    const loaded = new Set(libraries.split(',').map(name => unquoted(name).replace(/^\$libdir\//, '')));
    if (!passwordModules.some(name => loaded.has(name))) {
      const seen = 'shared_preload_libraries names no module that checks passwords.';
      found.observe(checks.passwordChecks, 'shared_preload_libraries', seen);
    }
    for (const name of ['auth_delay', 'set_user']) {
      if (!loaded.has(name))
        found.observe(checks.securityModule, name, `shared_preload_libraries does not name ${name}.`);
    }
  });
}

function detectSocket(found: DetectionBuilder, capture: PostgresCapture): void {
  const check = checks.socket;
  const provider = providerOf(capture);
  const folders = settingOf(capture, 'unix_socket_directories');
  if (provider !== undefined) {
    found.doesNotApply([check], `${provider.name} manages the server’s machine.`);
  } else if (!capture.roles.assessed) {
    found.cannotAssess([check], `Whether a service runs the server is unknown. ${capture.roles.reason}`);
  } else if (folders.assessed && folders.value === '') {
    found.doesNotApply([check], 'The server has no Unix socket.');
  } else {
    withSettings(found, [check], capture, ['unix_socket_directories'], places => {
      const shared = places
        .split(',')
        .map(unquoted)
        .find(place => /^\/(?:var\/)?tmp(?:\/|$)/.test(place));
      if (shared === undefined) return;
      const seen = `unix_socket_directories names ${quoted(shared, 80)}, where every local user can put a false socket while the server is down.`;
      found.observe(check, 'unix_socket_directories', seen, 'low');
    });
    withSettings(found, [check], capture, ['unix_socket_permissions'], permissions => {
      if (!/[2367]$/.test(permissions)) return;
      const seen = `unix_socket_permissions is ${quoted(permissions, 20)}.`;
      if (folders.assessed) found.observe(check, 'unix_socket_permissions', seen);
      else found.cannotAssess([check], folders.reason);
    });
  }
}
