import { version } from '../domain/version.ts';

/**
 * The User-Agent of scan requests, with a link to the page for site operators if the public URL is set.
 *
 * @param publicUrl without a trailing slash
 */
export function userAgentOf(publicUrl: string | undefined): string {
  const contact = publicUrl ? `+${publicUrl}/docs/scanner` : 'authorized by the site owner';
  return `Parapet/${version} (security posture scan; ${contact})`;
}
