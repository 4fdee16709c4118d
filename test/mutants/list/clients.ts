import type { Mutant } from '../mutant.ts';

const untrusted = (test: string) => ({ file: 'src/cli/mcp/untrusted.test.ts', test });
const markdown = (test: string) => ({ file: 'src/formats/markdown.test.ts', test });
const keys = (test: string) => ({ file: 'test/dashboard/keys.test.ts', test });

/** What assistants and pull requests show of texts of others, and what keys may do. */
export const clientMutants: readonly Mutant[] = [
  {
    name: 'An assistant gets invisible characters of a target',
    file: 'src/domain/visible-text.ts',
    search: "return text.replace(invisible, '');",
    replacement: "return text.replace(invisible, '$&');",
    killedBy: untrusted('removes what cannot be seen'),
  },
  {
    name: 'A target can end the block of its text',
    file: 'src/cli/mcp/untrusted.ts',
    search: 'const id = randomUUID();',
    replacement: "const id = randomUUID().replace(/[0-9a-f]/g, '0');",
    killedBy: untrusted('marks the block with an id that no target knows'),
  },
  {
    name: 'A title adds markup to a comment on a pull request',
    file: 'src/formats/markdown.ts',
    search: 'mark => `\\\\${mark}`);\n}',
    replacement: 'mark => mark);\n}',
    killedBy: markdown('writes "**bold** _it_ `code`" as text'),
  },
  {
    name: 'A name ends the code around it',
    file: 'src/formats/markdown.ts',
    search: ".replaceAll('`', \"'\")",
    replacement: '',
    killedBy: markdown('writes code that ends neither the code nor a cell'),
  },
  {
    name: 'A key has scopes that were not chosen',
    file: 'src/domain/scopes.ts',
    search: 'dashboardScopes.filter(scope => chosen.includes(scope));',
    replacement: 'dashboardScopes.filter(scope => chosen.length > 0 && scope);',
    killedBy: keys('limits a dashboard key to the chosen scopes'),
  },
  {
    name: 'A rotated key stays valid after the overlap',
    file: 'src/resources/keys/rotate-api-key.ts',
    search: 'if (end.getTime() < Date.parse(old.expires_at))',
    replacement: 'if (end.getTime() > Date.parse(old.expires_at))',
    killedBy: keys('rotates a key: the new one is alike'),
  },
  {
    name: 'A revoked key can be rotated',
    file: 'src/resources/keys/rotate-api-key.ts',
    search: "if (old.status !== 'active')",
    replacement: "if (old.status === 'expired')",
    killedBy: keys('rotates only active keys'),
  },
];
