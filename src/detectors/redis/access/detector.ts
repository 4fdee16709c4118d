import type { RedisCapture, RedisUser } from '../../../captures/redis.ts';
import type { Severity } from '../../../contract/severity.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { listening, type Reach } from '../../reach.ts';
import { commandsOf, disruptive, hasData, scripting, takeover } from '../commands.ts';
import { isProtected, listensEverywhere, reachOf } from '../exposure.ts';
import { nameOf, usersOf } from '../users.ts';
import { accessChecks as checks } from './checks.ts';

/** Who can connect, and whether a password is needed. */
export const redisAccessDetector: Detector<RedisCapture> = {
  name: 'redis.access',
  surface: 'redis',
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    detectNoPassword(found, capture);
    detectUsers(found, capture);
    if (!capture.settings.assessed)
      return found.cannotAssess([checks.protectedModeOff, checks.listensEverywhere], capture.settings.reason);
    detectProtectedMode(found, capture, capture.settings.value);
    detectAddresses(found, capture, capture.settings.value);
  }),
};

/** The rights of the socket's file decide who may use it: `redis.socket_open`. */
const severities: Record<NonNullable<Reach>, Severity> = {
  network: 'critical',
  loopback: 'low',
  none: 'info',
};

/** Whether clients without a login are accepted, as far as the capture shows it. */
function acceptsAnyone({ anonymous, users }: RedisCapture): boolean | undefined {
  if (anonymous.assessed) return anonymous.value.accepted;
  const user = usersOf(users)?.find(({ name }) => name === 'default');
  return user === undefined ? undefined : user.enabled && user.nopass;
}

function detectNoPassword(found: DetectionBuilder, capture: RedisCapture) {
  const { anonymous, users } = capture;
  const accepts = acceptsAnyone(capture);
  if (accepts === undefined) {
    const reason = anonymous.assessed ? 'The server shows no default user.' : anonymous.reason;
    return found.cannotAssess([checks.noPassword], reason);
  }
  if (!accepts) return;
  const user = usersOf(users)?.find(({ name }) => name === 'default');
  if (user === undefined && anonymous.assessed && !anonymous.value.ping)
    return found.cannotAssess(
      [checks.noPassword],
      'Clients without a login may not run PING, and what else they may run could not be read.',
    );
  const { severity, where } = weigh(capture, user);
  found.observe(checks.noPassword, 'default user', `Clients need no login. ${where}`, severity);
}

function weigh(
  capture: RedisCapture,
  user: RedisUser | undefined,
): { readonly severity: Severity; readonly where: string } {
  const every = [...takeover, ...disruptive, ...scripting];
  if (user && !hasData(user) && commandsOf(user, every).length === 0)
    return {
      severity: 'info',
      where: 'The user may run no command that reads data or administers the server.',
    };
  const reach = reachOf(capture);
  if (reach !== 'none' && isProtected(capture))
    return { severity: 'low', where: 'Protected mode refuses other machines as long as no password is set.' };
  if (reach === undefined) return { severity: 'high', where: 'Whether other machines reach it is unknown.' };
  const isProven = capture.connection.over === 'network';
  return {
    severity: severities[reach],
    where: isProven ? 'Parapet reached it from another machine.' : listening[reach],
  };
}

function detectUsers(found: DetectionBuilder, capture: RedisCapture) {
  const { users } = capture;
  if (!users.assessed) return found.cannotAssess([checks.userNoPassword], users.reason);
  const { rows, truncated } = users.value;
  if (truncated)
    found.cannotAssess([checks.userNoPassword], `Only the first ${rows.length} users were read.`);
  // Protected mode depends on the password of the default user only.
  const isOpen = rows.find(({ name }) => name === 'default')?.nopass === true;
  const judged = isOpen ? capture : withoutProtection(capture);
  for (const user of rows) {
    if (user.name === 'default' || !user.enabled || !user.nopass) continue;
    const { severity, where } = weigh(judged, user);
    found.observe(
      checks.userNoPassword,
      nameOf(user),
      `${nameOf(user)} accepts any password. ${where}`,
      severity,
    );
  }
}

function withoutProtection(capture: RedisCapture): RedisCapture {
  if (!capture.settings.assessed) return capture;
  return {
    ...capture,
    settings: { assessed: true, value: { ...capture.settings.value, 'protected-mode': 'no' } },
  };
}

type Settings = Readonly<Record<string, string>>;

function detectProtectedMode(found: DetectionBuilder, capture: RedisCapture, settings: Settings) {
  const mode = settings['protected-mode'];
  if (mode === undefined)
    return found.cannotAssess([checks.protectedModeOff], 'The server does not report protected-mode.');
  if (mode !== 'no') return;
  const accepts = acceptsAnyone(capture);
  const reach = reachOf(capture);
  const isOpen = accepts === true && (reach === 'network' || reach === undefined);
  const because =
    accepts === true
      ? reach
        ? listening[reach]
        : 'No password is set.'
      : 'A password is required, which protects as well.';
  found.observe(
    checks.protectedModeOff,
    'protected-mode',
    `protected-mode is no. ${because}`,
    isOpen ? 'high' : 'info',
  );
}

function detectAddresses(found: DetectionBuilder, capture: RedisCapture, settings: Settings) {
  const { bind } = settings;
  if (bind === undefined)
    return found.cannotAssess([checks.listensEverywhere], 'The server does not report bind.');
  const reach = reachOf(capture);
  if (reach === 'none' || !listensEverywhere(settings)) return;
  const isOpen = acceptsAnyone(capture) === true && !isProtected(capture);
  const because = isOpen ? ' and needs no password' : '';
  found.observe(
    checks.listensEverywhere,
    'bind',
    `The server listens on all addresses${because}: bind is ${quoted(bind)}.`,
    isOpen ? 'medium' : settings.port === '0' ? 'info' : 'low',
  );
}
