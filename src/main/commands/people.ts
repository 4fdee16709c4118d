import type { Command } from 'commander';
import { type Role, roles } from '../../contract/dashboard/session.ts';
import { type Account, findAccount } from '../../resources/people/accounts.ts';
import { releaseAddress } from '../../resources/people/close-account.ts';
import { invite } from '../../resources/people/invitations.ts';
import { listPeople } from '../../resources/people/memberships.ts';
import { makePasswordLink, resetSecondFactors } from '../../resources/people/recover.ts';
import type { Storage } from '../../resources/storage.ts';
import { ConfigurationError, readConfiguration } from '../configuration.ts';
import { linkTo, setUpLink } from '../dashboard-links.ts';
import { operator } from '../operator.ts';
import { organizationId } from '../organization-id.ts';
import { type DataOption, print, withData, withStorage } from './operator.ts';

interface Options extends DataOption {
  readonly json?: boolean;
}

interface InviteOptions extends Options {
  readonly organization: string;
  readonly email: string;
  readonly role: string;
}

export function addPeople(program: Command): void {
  const people = program
    .command('people')
    .description("people who sign in to the dashboard: what the host's operator does for them");
  const add = (name: string, description: string) =>
    withData(people.command(name).description(description)).option('--json', 'print JSON');
  add('list', 'list the people of an organization')
    .requiredOption('--organization <id>', 'the organization')
    .action(list);
  add('invite', 'make a link that lets somebody into an organization')
    .requiredOption('--organization <id>', 'the organization')
    .requiredOption('--email <address>', 'what they sign in with; nothing is sent to it')
    .option('--role <role>', 'owner, admin or member', 'member')
    .action(inviteSomebody);
  add('set-up-link', 'make a new link for the first person, while there is none').action(makeSetUpLink);
  add(
    'reset-mfa',
    'remove all second factors and linked provider accounts of somebody, and make a link for a new password',
  )
    .argument('<email>')
    .action(resetMfa);
  add(
    'reset-password',
    'make a link for a new password; linked provider accounts stay only if the address is verified',
  )
    .argument('<email>')
    .action(resetPassword);
  add(
    'release',
    'close the account that has an address, and revoke its invitations, except those you have made since',
  )
    .argument('<email>')
    .action(release);
}

async function list(options: Options & { organization: string }): Promise<void> {
  const people = await withStorage(options, async storage =>
    listPeople(storage.people, await organizationId(storage, options.organization)),
  );
  print(options.json, { people }, () =>
    people
      .map(({ email, role, second_factor, last_seen_at }) =>
        [
          email,
          role,
          second_factor ? 'second factor set up' : 'no second factor',
          `last seen ${last_seen_at ?? 'never'}`,
        ].join('  '),
      )
      .join('\n'),
  );
}

async function inviteSomebody(options: InviteOptions): Promise<void> {
  const { email } = options;
  const role = options.role as Role;
  if (!roles.includes(role)) throw new ConfigurationError('--role must be owner, admin or member');
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || /[@.]invalid\.?$/i.test(email) || email.length > 254) {
    throw new ConfigurationError('--email must be an e-mail address, and not below .invalid');
  }
  const configuration = readConfiguration(process.env, options);
  const { invitation, token } = await withStorage(options, async storage => {
    const organization = await organizationId(storage, options.organization);
    return storage.people.transaction(transaction =>
      invite(transaction, { organizationId: organization, email, role, actor: operator }),
    );
  });
  const url = linkTo('invitation', token, configuration);
  print(options.json, { url, expires_at: invitation.expires_at }, () =>
    handOver(`${email} joins as ${role}`, url, invitation.expires_at),
  );
}

async function makeSetUpLink(options: Options): Promise<void> {
  const configuration = readConfiguration(process.env, options);
  const link = await withStorage(options, storage => setUpLink(storage, configuration));
  if (!link) {
    throw new ConfigurationError('Parapet is set up: let people in with `parapet people invite`');
  }
  print(options.json, { url: link.url, expires_at: link.expiresAt }, () =>
    handOver('The first person makes an organization and owns it', link.url, link.expiresAt),
  );
}

async function resetMfa(email: string, options: Options): Promise<void> {
  const configuration = readConfiguration(process.env, options);
  const { link, ...removed } = await withAccount(email, options, (storage, { id }) =>
    storage.people.transaction(transaction => resetSecondFactors(transaction, id, operator)),
  );
  const url = linkTo('password-reset', link.token, configuration);
  print(options.json, { email, ...removed, url }, () =>
    [
      `Removed: ${removed.totp ? 'the authenticator app' : 'no authenticator app'}, ${removed.passkeys} passkeys, all backup codes, ${removed.identities} linked provider accounts. Every session of ${email} has ended, and older links no longer work.`,
      `The password no longer works. ${handOver(`${email} chooses a new one, then sets up a second factor,`, url, link.expiresAt)}`,
    ].join('\n'),
  );
}

async function release(email: string, options: Options): Promise<void> {
  await withAccount(email, options, (storage, { id }) =>
    storage.people.transaction(transaction => releaseAddress(transaction, id, operator)),
  );
  print(
    options.json,
    { email },
    () =>
      `Closed the account of ${email}: its password, second factors, sessions and memberships are removed, and invitations for the address are revoked, except yours since the account was created. Until the address is invited with \`parapet people invite\`, an admin of any organization can invite it and create the account again.`,
  );
}

async function resetPassword(email: string, options: Options): Promise<void> {
  const configuration = readConfiguration(process.env, options);
  const { token, expiresAt } = await withAccount(email, options, (storage, { id }) =>
    storage.people.transaction(transaction => makePasswordLink(transaction, id, operator)),
  );
  const url = linkTo('password-reset', token, configuration);
  print(options.json, { url, expires_at: expiresAt }, () =>
    handOver(`${email} chooses a new password`, url, expiresAt),
  );
}

function withAccount<T>(
  email: string,
  options: Options,
  work: (storage: Storage, account: Account) => Promise<T>,
): Promise<T> {
  return withStorage(options, async storage => {
    const account = await findAccount(storage.people, email);
    if (!account) throw new ConfigurationError(`nobody signs in with ${email}`);
    return work(storage, account);
  });
}

function handOver(what: string, url: string, expiresAt: string): string {
  return `${what} with this link. It works once, until ${expiresAt}:\n${url}`;
}
