import { readFileSync } from 'node:fs';
import { installedFile } from '../domain/installed-file.ts';

/** This program's version, from its package. */
export const version: string = JSON.parse(readFileSync(installedFile('package.json'), 'utf8')).version;

/**
 * What a target's log shows of a scan, with the page that explains it where the service's address is known.
 *
 * @param publicUrl without a slash at its end
 */
export function userAgentOf(publicUrl: string | undefined): string {
  const who = publicUrl ? `+${publicUrl}/docs/scanner` : 'authorized by the owner of what it looks at';
  return `Parapet/${version} (security posture scan; ${who})`;
}
