import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * SPDX's text of a license, below a copyright line.
 * @param license an SPDX id.
 * @throws Error if SPDX has no such license.
 */
export function standardText(license: string, copyright: string): string {
  const file = require.resolve(`spdx-license-list/licenses/${license}.json`);
  const { licenseText } = JSON.parse(readFileSync(file, 'utf8')) as { licenseText: string };
  const placeholder = /^Copyright .*<.*$/m;
  return placeholder.test(licenseText)
    ? licenseText.replace(placeholder, copyright).trim()
    : `${copyright}\n\n${licenseText.trim()}`;
}
