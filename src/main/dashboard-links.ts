import { hasPeople, hasSetUpLink, makeLink } from '../resources/people/one-time-links.ts';
import type { Storage } from '../resources/storage.ts';
import type { Configuration } from './configuration.ts';

/** A dashboard link with a token. The token is in the fragment, which browsers do not send to servers. */
export function linkTo(
  page: 'set-up' | 'invitation' | 'password-reset',
  token: string,
  { publicUrl, publicPrefix, port }: Pick<Configuration, 'publicUrl' | 'publicPrefix' | 'port'>,
  servedAt = `http://localhost:${port}`,
): string {
  // Passkeys are bound to a host name, never to an IP address.
  const local = servedAt.replace(/^http:\/\/(127\.0\.0\.1|\[::1?\]|0\.0\.0\.0)/, 'http://localhost');
  return `${publicUrl ?? local + publicPrefix}/dashboard/${page}#token=${token}`;
}

/**
 * What the operator reads when the service starts, while no account exists; otherwise undefined. It has a setup link only the first time:
 * a supervisor may keep all output, and its readers could become the owner.
 */
export async function setUpText(
  storage: Pick<Storage, 'people'>,
  configuration: Configuration,
  servedAt: string,
): Promise<string | undefined> {
  if (await hasPeople(storage.people)) return undefined;
  const command = 'parapet people set-up-link';
  if (await hasSetUpLink(storage.people)) {
    return `Parapet is not set up yet. \`${command}\` shows a link for that.`;
  }
  const link = (await setUpLink(storage, configuration, servedAt))!;
  return `Set up Parapet with this link. It works once, until ${link.expiresAt}; \`${command}\` shows another:\n\n    ${link.url}`;
}

/** A new one-time setup link, or undefined if an account exists. */
export async function setUpLink(
  { people }: Pick<Storage, 'people'>,
  configuration: Configuration,
  servedAt?: string,
): Promise<{ url: string; expiresAt: string } | undefined> {
  if (await hasPeople(people)) return undefined;
  const { token, expiresAt } = await makeLink(people);
  return { url: linkTo('set-up', token, configuration, servedAt), expiresAt };
}
