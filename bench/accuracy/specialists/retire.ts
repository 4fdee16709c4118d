import { createHash } from 'node:crypto';
import type { Specialist } from '../case.ts';
import { installed } from './install.ts';

/** The second package contains the advisories of Retire.js, which it would otherwise download. */
const packages = ['retire@5.7.0', '@salesforce/code-analyzer-retirejs-engine@0.32.0'];
const module = `import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const retire = require('retire/lib/retire.js');
const file = new URL('node_modules/@salesforce/code-analyzer-retirejs-engine/vulnerabilities/RetireJsVulns.json', import.meta.url);
export const repository = JSON.parse(retire.replaceVersion(readFileSync(file, 'utf8')));
export const { scanFileContent, isVulnerable } = retire;
export const { deepScan } = require('retire/lib/deepscan.js');
`;

interface Retire {
  readonly repository: unknown;
  scanFileContent(content: string, repository: unknown, hasher: object): unknown[];
  deepScan(content: string, repository: unknown): unknown[];
  isVulnerable(components: unknown[]): boolean;
}

const hasher = { sha1: (text: string) => createHash('sha1').update(text).digest('hex') };

/** Reads scripts in both of its ways: by the text, and by the syntax tree. */
export const retire: Specialist = {
  name: 'retire 5.7.0',
  judge: async scripts => {
    const { repository, scanFileContent, deepScan, isVulnerable } = await installed<Retire>(packages, module);
    return scripts.map(script => {
      if (isVulnerable(scanFileContent(script, repository, hasher))) return true;
      try {
        return isVulnerable(deepScan(script, repository));
      } catch {
        // It does not parse every script.
        return false;
      }
    });
  },
};
