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
    detectUsers(found, rows.filter(canLogIn), takeoverOn(settings.assessed ? settings.value : {}));
  }),
};

type Settings = Readonly<Record<string, string>>;

/** The commands of `takeover` that Redis 7.0 has not disabled for everyone. */
const takeoverOn = (settings: Settings): readonly string[] =>
  takeover.filter(command => {
    const [container = ''] = command.split('|');
    return settings[`enable-${container}-command`] !== 'no';
  });

const administrative = /admin|root|super|operator|(?<![a-z])(?:ops|dba|sre)(?![a-z])/i;

/** Every server needs one: the users that are named so, or else the only one that may do everything. */
function administratorsOf(users: readonly RedisUser[]): ReadonlySet<RedisUser> {
  const unrestricted = users.filter(isUnrestricted);
  const named = unrestricted.filter(({ name }) => administrative.test(name));
  return new Set(named.length > 0 || unrestricted.length > 1 ? named : unrestricted);
}

function detectUsers(found: DetectionBuilder, users: readonly RedisUser[], takingOver: readonly string[]) {
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
    detectScripts(found, user);
    if (!isDefault) detectCommands(found, user, takingOver);
  }
}

const listed = (commands: readonly string[]) =>
  commands.map(command => command.replace('|', ' ').toUpperCase()).join(', ');

function detectCommands(found: DetectionBuilder, user: RedisUser, takingOver: readonly string[]) {
  if (!hasData(user)) return;
  const administering = commandsOf(user, takingOver);
  const disrupting = commandsOf(user, disruptive);
  const [check, commands] =
    administering.length > 0 ? [checks.administration, administering] : [checks.disruption, disrupting];
  if (commands.length === 0) return;
  found.observe(check, nameOf(user), `The ${nameOf(user)} may use data and run ${listed(commands)}.`);
}

function detectScripts(found: DetectionBuilder, user: RedisUser) {
  if (!hasData(user) || commandsOf(user, scripting).length === 0) return;
  found.observe(checks.scripts, nameOf(user), `The ${nameOf(user)} may use data and run scripts of its own.`);
}

const protectedSettings = ['enable-debug-command', 'enable-module-command', 'enable-protected-configs'];

function detectProtectedCommands(found: DetectionBuilder, settings: Settings) {
  const present = protectedSettings.filter(name => settings[name] !== undefined);
  if (present.length === 0)
    return found.cannotAssess(
      [protectedCommands],
      'The server has no such settings: before Redis 7.0, these commands cannot be disabled this way.',
    );
  for (const name of present)
    if (settings[name] === 'yes') found.observe(protectedCommands, name, `${name} is yes.`);
}
