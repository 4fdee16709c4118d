import type { Severity } from '../../../contract/severity.ts';
import { variableNames } from './environment-file.ts';
import type { FileKind } from './signatures.ts';

/** What bundlers put into every visitor's script anyway, and what only says how to start. */
const publicName =
  /^(?:NEXT_PUBLIC|VITE|REACT_APP|NUXT_PUBLIC|EXPO_PUBLIC|GATSBY|PUBLIC|VUE_APP|STORYBOOK)_|^(?:NODE_ENV|APP_ENV|APP_NAME|PORT|HOST|TZ|LANG|LOG_LEVEL|DEBUG|CI|GENERATE_SOURCEMAP)$/;

/** The severity of what gives away less than its check is about; undefined where it is as bad as usual. */
export function lighterSeverity(kind: FileKind, body: string): Severity | undefined {
  // nginx tells how busy it is, and nothing of anybody's requests.
  if (kind === 'server_status' && /^Active connections: \d/.test(body)) return 'low';
  if (kind !== 'secrets_file' || body.includes('PRIVATE KEY')) return undefined;
  const names = variableNames(body).map(name => name.toUpperCase());
  return names.length > 0 &&
    names.every(name => publicName.test(name) && !/SECRET|PASS|TOKEN|PRIVATE/.test(name))
    ? 'low'
    : undefined;
}
