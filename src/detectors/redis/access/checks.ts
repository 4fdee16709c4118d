import { lowers, safeguards, shows } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { commands, references, settings } from '../fix.ts';

const password = { 'a-long-random-password': 'a password' };

export const accessChecks = {
  noPassword: {
    id: 'redis.no_password',
    title: 'Clients need no password',
    severity: 'critical',
    why: 'Everyone who reaches the port can read and delete all data. With CONFIG, replication or scripts, attackers run code on the machine within minutes.',
    fix: {
      advice:
        'Set a long random password for the default user, or turn this user off and give each application its own. Then configure the password in all clients, replicas and sentinels, and replace data and secrets that were exposed.',
      steps: [
        settings('requirepass a-long-random-password', {
          replace: password,
          note: 'Replicas need the same password as `masterauth`.',
        }),
        commands('CONFIG SET requirepass a-long-random-password', {
          replace: password,
          note: 'Also set it in redis.conf, so that it is kept after a restart.',
        }),
      ],
    },
    references: [references.security, references.valkeySecurity],
    safeguards: [
      shows(safeguards.authentication, 'A connection without a login shows whether the server requires one.'),
      lowers(safeguards.accessControl, 'Everyone who reaches the port has access to all data.'),
    ],
  },
  userNoPassword: {
    id: 'redis.user_no_password',
    title: 'A user can log in without a password',
    severity: 'critical',
    why: 'Everyone who reaches the port and knows or guesses the name of the user has its permissions, and cannot be identified afterwards.',
    fix: {
      advice: 'Give the user a long random password, or turn it off.',
      steps: [
        commands('ACL SETUSER app resetpass >a-long-random-password', {
          replace: { app: 'the user', ...password },
          note: 'Then run `ACL SAVE`, or change the line of the user in redis.conf.',
        }),
      ],
    },
    references: [references.acl, references.valkeyAcl],
    safeguards: [
      shows(safeguards.authentication, 'The list of users shows whether one can log in without a password.'),
      lowers(safeguards.passwordManagement, 'The user has no password.'),
    ],
  },
  protectedModeOff: {
    id: 'redis.protected_mode_off',
    title: 'Protected mode is off',
    severity: 'high',
    why: 'Protected mode refuses other machines as long as no password is set. Without it, a lost or forgotten password exposes the server at once.',
    fix: {
      advice: 'Turn protected mode on. With a password, it does not restrict clients.',
      steps: [
        settings('protected-mode yes', { note: 'Until then: `CONFIG SET protected-mode yes`.' }),
        commands('CONFIG SET protected-mode yes'),
      ],
    },
    references: [references.security],
    safeguards: [lowers(safeguards.accessControl, 'The server accepts other machines without a password.')],
  },
  listensEverywhere: {
    id: 'redis.listens_everywhere',
    title: 'The server listens on all addresses',
    severity: 'low',
    why: 'Only a firewall then keeps other networks out, including those that the machine joins later.',
    fix: {
      advice:
        'Listen on loopback and the one private address that clients use. In a container, publish the port on a private address instead.',
      steps: [
        settings('bind 127.0.0.1 -::1', {
          note: 'Add the private address that clients use.',
        }),
      ],
    },
    references: [references.security, references.valkeySecurity],
    safeguards: [lowers(safeguards.accessControl, 'The server is reachable from more networks than needed.')],
  },
} as const satisfies Record<string, Check>;
