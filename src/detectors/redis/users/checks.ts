import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { commands, references, settings } from '../fix.ts';

const excess = lowers(
  safeguards.accessModification,
  'The user has more permissions than such a user usually needs, which an access review would correct.',
);
const user = { app: 'the user' };
const kept = 'Then run `ACL SAVE`, or change the line of the user in redis.conf.';

export const usersChecks = {
  defaultUnrestricted: {
    id: 'redis.default_user_unrestricted',
    title: 'The default user may run every command',
    severity: 'low',
    why: 'Applications usually log in as this user. An attacker who controls one of them, or learns the password, can change settings, load modules and delete all data.',
    fix: {
      advice:
        'Create a user for each application, with the commands and keys that it needs, and one for administration. Then turn the default user off, or take dangerous commands away from it.',
      steps: [
        commands('ACL SETUSER default -@admin -@dangerous', {
          note: 'First create an administrator and try its login: `ACL SETUSER admin on >a-long-random-password ~* &* +@all`. Then run `ACL SAVE`, or write both users to redis.conf.',
        }),
      ],
    },
    references: [references.acl, references.valkeyAcl],
    safeguards: [
      excess,
      lowers(safeguards.uniqueUser, 'All clients share one user, so logs cannot distinguish them.'),
    ],
  },
  administration: {
    id: 'redis.user_administrative',
    title: 'A user of data may administer the server',
    severity: 'medium',
    why: 'With these commands, an attacker who controls the application or learns its password takes over the server, and usually its machine.',
    fix: {
      advice:
        'Take commands of administration away from users of applications. Give them to a separate user that no application uses.',
      steps: [commands('ACL SETUSER app -@admin -@dangerous', { replace: user, note: kept })],
    },
    references: [references.acl, references.valkeyAcl],
    safeguards: [excess],
  },
  disruption: {
    id: 'redis.user_dangerous_commands',
    title: 'A user of data may delete everything or stop the server',
    severity: 'low',
    why: 'One mistake or injection in the application deletes or copies all data, ends the connections of others, or shows their commands.',
    fix: {
      advice: 'Take dangerous commands away, and permit single ones where the application needs them.',
      steps: [commands('ACL SETUSER app -@admin -@dangerous', { replace: user, note: kept })],
    },
    references: [references.acl, references.valkeyAcl],
    safeguards: [excess],
  },
  scripts: {
    id: 'redis.user_scripts',
    title: 'A user may run its own scripts',
    severity: 'info',
    why: 'Most vulnerabilities of Redis that run code on the server need scripts. A long script also blocks all other clients.',
    fix: {
      advice:
        'Take scripts away from users that do not need them. Many job queues and locks need them: search the application and its libraries for EVAL first.',
      steps: [commands('ACL SETUSER app -@scripting', { replace: user, note: kept })],
    },
    references: [references.acl],
    safeguards: [],
  },
  protectedCommands: {
    id: 'redis.protected_command_enabled',
    title: 'A protected command is enabled for other machines',
    severity: 'medium',
    why: 'DEBUG, MODULE and changes of protected settings run code on the server or change its files. Redis 7.0 disables them by default.',
    fix: {
      advice: 'Disable them, or permit `local` for the time of a maintenance.',
      steps: [settings('enable-debug-command no\nenable-module-command no\nenable-protected-configs no')],
    },
    references: [references.security, references.configuration],
    safeguards: [lowers(safeguards.accessControl, 'A client with a login can run code on the server.')],
  },
} as const satisfies Record<string, Check>;
