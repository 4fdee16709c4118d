import { expect, it } from 'vitest';
import { librariesIn } from './libraries-in.ts';

const jquery = [{ library: 'jquery', version: '3.4.1' }];

it.each([
  ['a script', '/*! jQuery v3.4.1 | (c) JS Foundation */'],
  ['a package.json', '{"name":"jquery","version":"3.4.1","dependencies":{"lodash":"4.17.4"}}'],
  [
    'an import map',
    '{"imports":{"jquery":"https://ga.jspm.io/npm:jquery@3.4.1/dist/jquery.js","a":"/a.js"}}',
  ],
  [
    'a lock file of npm',
    '{"lockfileVersion":3,"packages":{"":{"name":"site"},"node_modules/a/node_modules/jquery":{"version":"3.4.1"}}}',
  ],
  [
    'a lock file of npm 6',
    '{"lockfileVersion":1,"dependencies":{"a":{"version":"1.0.0","dependencies":{"jquery":{"version":"3.4.1"}}}}}',
  ],
  [
    'a lock file of Yarn',
    '# yarn lockfile v1\n\njquery@^3.4.0, jquery@~3.4.1:\n  version "3.4.1"\n  resolved "https://registry.yarnpkg.com"\n',
  ],
  [
    'a lock file of newer releases of Yarn',
    '__metadata:\n  version: 8\n\n"jquery@npm:^3.4.0":\n  version: 3.4.1\n  languageName: node\n',
  ],
  ['a lock file of pnpm', "lockfileVersion: '9.0'\n\npackages:\n\n  jquery@3.4.1:\n    resolution: {}\n"],
  [
    'a lock file of older releases of pnpm',
    'lockfileVersion: 5.4\n\npackages:\n\n  /jquery/3.4.1:\n    dev: false\n',
  ],
  [
    'a lock file of Composer',
    '{"content-hash":"0","packages":[{"name":"components/jquery","version":"3.4.1"},{"name":"vendor/lodash","version":"4.17.4"}]}',
  ],
  [
    'a source map',
    '{"version":3,"sources":["../node_modules/.pnpm/jquery@3.4.1/node_modules/jquery/dist/jquery.js"],"mappings":""}',
  ],
  [
    'a package.json in a source map',
    '{"version":3,"sources":["a"],"sourcesContent":["{\\"name\\":\\"jquery\\",\\"version\\":\\"3.4.1\\"}"]}',
  ],
])('finds libraries in %s', (_name, text) => {
  expect(librariesIn(text)).toEqual(jquery);
});

it.each([
  '{',
  '[]',
  '{"name":"jquery"}',
  '{"dependencies":{"jquery":"3.4.1"}}',
  '{"imports":null}',
  'jquery@3.4.1',
])('finds nothing in %s', text => {
  expect(librariesIn(text)).toEqual([]);
});
