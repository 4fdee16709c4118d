import { hasPeople, makeLink } from '../resources/people/one-time-links.ts';
import type { Storage } from '../resources/storage.ts';
import type { Configuration } from './configuration.ts';

/** A page of the dashboard that a link's token opens. The token is after the `#`: no server and no log gets it. */
export function linkTo(
  page: 'set-up' | 'invitation' | 'password-reset',
  token: string,
  { publicUrl, publicPrefix, port }: Pick<Configuration, 'publicUrl' | 'publicPrefix' | 'port'>,
  servedAt = `http://localhost:${port}`,
): string {
  // A passkey belongs to a name, not to an address: on this machine people come by its name.
  const local = servedAt.replace(/^http:\/\/(127\.0\.0\.1|\[::1?\]|0\.0\.0\.0)/, 'http://localhost');
  return `${publicUrl ?? local + publicPrefix}/dashboard/${page}#token=${token}`;
}

/** The one-time link for the first person, or undefined once somebody has an account. */
export async function setUpLink(
  { people }: Pick<Storage, 'people'>,
  configuration: Configuration,
  servedAt?: string,
): Promise<{ url: string; expiresAt: string } | undefined> {
  if (await hasPeople(people)) return undefined;
  const { token, expiresAt } = await makeLink(people);
  return { url: linkTo('set-up', token, configuration, servedAt), expiresAt };
}
