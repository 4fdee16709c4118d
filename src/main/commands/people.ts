import type { Command } from 'commander';
import { type Role, roles } from '../../contract/dashboard/session.ts';
import { releaseAddress } from '../../resources/people/close-account.ts';
import { invite } from '../../resources/people/invitations.ts';
import { listPeople } from '../../resources/people/memberships.ts';
import { makePasswordLink, resetSecondFactors } from '../../resources/people/recover.ts';
import { readConfiguration } from '../configuration.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { linkTo, setUpLink } from '../dashboard-links.ts';
import { operator } from '../operator.ts';
import { organizationId } from '../organization-id.ts';
import { deleteAccount, exportAccount } from './delete-person.ts';
import { type DataOption, print, withData, withExport, withStorage } from './operator.ts';
import { withAccount } from './with-account.ts';

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
    .description('manage dashboard accounts, as the operator of the host');
  const add = (name: string, description: string) =>
    withData(people.command(name).description(description)).option('--json', 'print JSON');
  add('list', 'list the members of an organization')
    .requiredOption('--organization <id>', 'organization ID')
    .action(list);
  add('invite', 'create an invitation link to an organization')
    .requiredOption('--organization <id>', 'organization ID')
    .requiredOption('--email <address>', 'email address to sign in with; no email is sent')
    .option('--role <role>', 'owner, admin or member', 'member')
    .action(invitePerson);
  add('set-up-link', 'create a new setup link, while no account exists').action(makeSetUpLink);
  add('reset-mfa', 'remove all second factors and linked provider accounts, and create a password reset link')
    .argument('<email>')
    .action(resetMfa);
  add(
    'reset-password',
    'create a password reset link; linked provider accounts are kept only if the email address is verified',
  )
    .argument('<email>')
    .action(resetPassword);
  add(
    'release',
    'close the account of an email address and revoke its invitations, except those you created after the account',
  )
    .argument('<email>')
    .action(release);
  add('export', 'export an account to a JSON file, without secrets')
    .argument('<email>')
    .argument('<file>', 'new file')
    .action(exportAccount);
  withExport(
    people.command('delete').description('delete an account; records of organizations keep the name'),
  )
    .argument('<email>')
    .action(deleteAccount);
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
          second_factor ? 'second factor' : 'no second factor',
          `last active ${last_seen_at ?? 'never'}`,
        ].join('  '),
      )
      .join('\n'),
  );
}

async function invitePerson(options: InviteOptions): Promise<void> {
  const { email } = options;
  const role = options.role as Role;
  if (!roles.includes(role)) throw new ConfigurationError('--role must be owner, admin or member');
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || /[@.]invalid\.?$/i.test(email) || email.length > 254) {
    throw new ConfigurationError('--email must be an email address, not in the .invalid domain');
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
    linkText(`Invitation for ${email} as ${role}.`, url, invitation.expires_at),
  );
}

async function makeSetUpLink(options: Options): Promise<void> {
  const configuration = readConfiguration(process.env, options);
  const link = await withStorage(options, storage => setUpLink(storage, configuration));
  if (!link) {
    throw new ConfigurationError('Parapet is already set up. Invite people with `parapet people invite`');
  }
  print(options.json, { url: link.url, expires_at: link.expiresAt }, () =>
    linkText('Setup link. The account it creates owns the first organization.', link.url, link.expiresAt),
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
      `Removed ${removed.totp ? 'the authenticator app' : 'no authenticator app'}, ${removed.passkeys} passkeys, all backup codes and ${removed.identities} linked provider accounts. All sessions and earlier links of ${email} are revoked.`,
      linkText(
        `The old password no longer works. ${email} sets a new password and a second factor with this link.`,
        url,
        link.expiresAt,
      ),
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
      `Closed the account of ${email}. Its password, second factors, sessions and memberships are removed. Invitations for the address are revoked, except those you created after the account. Until you invite the address with \`parapet people invite\`, an admin of any organization can invite it and create the account again.`,
  );
}

async function resetPassword(email: string, options: Options): Promise<void> {
  const configuration = readConfiguration(process.env, options);
  const { token, expiresAt } = await withAccount(email, options, (storage, { id }) =>
    storage.people.transaction(transaction => makePasswordLink(transaction, id, operator)),
  );
  const url = linkTo('password-reset', token, configuration);
  print(options.json, { url, expires_at: expiresAt }, () =>
    linkText(`Password reset link for ${email}.`, url, expiresAt),
  );
}

function linkText(purpose: string, url: string, expiresAt: string): string {
  return `${purpose} It can be used once and expires at ${expiresAt}:\n${url}`;
}
