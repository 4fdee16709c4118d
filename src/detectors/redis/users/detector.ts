import type { RedisCapture, RedisUser } from '../../../captures/redis.ts';
import { type DetectionBuilder, detecting } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import {
  canLogIn,
  commandsOf,
  disruptive,
  hasData,
  isUnrestricted,
  scripting,
  takeover,
} from '../commands.ts';
import { nameOf } from '../users.ts';
import { usersChecks as checks } from './checks.ts';

const { protectedCommands, ...ofUsers } = checks;

/** What users may do. */
export const redisUsersDetector: Detector<RedisCapture> = {
  name: 'redis.users',
  surface: 'redis',
  checks: Object.values(checks),
  detect: detecting((found, { users, settings }) => {
    if (settings.assessed) detectProtectedCommands(found, settings.value);
    else found.cannotAssess([protectedCommands], settings.reason);
    if (!users.assessed) return found.cannotAssess(Object.values(ofUsers), users.reason);
    const { rows, truncated } = users.value;
    if (truncated)
      found.cannotAssess(Object.values(ofUsers), `Only the first ${rows.length} users were read.`);
    detectUsers(found, rows.filter(canLogIn));
  }),
};

const administrative = /admin|root|super|operator|\b(?:ops|dba|sre)\b/i;

/** Every server needs one: the users that are named so, or else the only one that may do everything. */
function administratorsOf(users: readonly RedisUser[]): ReadonlySet<RedisUser> {
  const unrestricted = users.filter(isUnrestricted);
  const named = unrestricted.filter(({ name }) => administrative.test(name));
  return new Set(named.length > 0 || unrestricted.length > 1 ? named : unrestricted);
}

function detectUsers(found: DetectionBuilder, users: readonly RedisUser[]) {
  const administrators = administratorsOf(users.filter(({ name }) => name !== 'default'));
  for (const user of users) {
    if (administrators.has(user)) continue;
    const isDefault = user.name === 'default' && isUnrestricted(user);
    if (isDefault)
      found.observe(
        checks.defaultUnrestricted,
        nameOf(user),
        'The default user may run every command on every key.',
      );
    detectCommands(found, user, isDefault);
  }
}

const listed = (commands: readonly string[]) =>
  commands.map(command => command.replace('|', ' ').toUpperCase()).join(', ');

function detectCommands(found: DetectionBuilder, user: RedisUser, onlyScripts: boolean) {
  if (!hasData(user)) return;
  const name = nameOf(user);
  const [administering, disrupting, scripts] = [takeover, disruptive, scripting].map(commands =>
    commandsOf(user, commands),
  ) as [string[], string[], string[]];
  const text = (commands: readonly string[]) => `The ${name} may use data and run ${listed(commands)}.`;
  if (scripts.length > 0) found.observe(checks.scripts, name, text(scripts));
  if (onlyScripts) return;
  if (administering.length > 0) found.observe(checks.administration, name, text(administering));
  else if (disrupting.length > 0) found.observe(checks.disruption, name, text(disrupting));
}

const protectedSettings = ['enable-debug-command', 'enable-module-command', 'enable-protected-configs'];

function detectProtectedCommands(found: DetectionBuilder, settings: Readonly<Record<string, string>>) {
  const present = protectedSettings.filter(name => settings[name] !== undefined);
  if (present.length === 0)
    return found.cannotAssess(
      [protectedCommands],
      'The server has no such settings: before Redis 7.0, these commands cannot be disabled this way.',
    );
  for (const name of present)
    if (settings[name] === 'yes') found.observe(protectedCommands, name, `${name} is yes.`);
}
