import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Specialist } from '../case.ts';
import { command } from '../libraries/packages.ts';
import type { HeaderMaterial } from './material.ts';

const release = '@mdn/mdn-http-observatory@1.4.8';
const store = join(tmpdir(), 'parapet-http-observatory-1.4.8');

/** The package, without the lists that its installation would download: no site of the cases is on them. */
async function installed(): Promise<string> {
  if (!existsSync(store)) {
    mkdirSync(tmpdir(), { recursive: true });
    const folder = mkdtempSync(`${store}-`);
    await command('npm', [
      ...['install', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--silent'],
      ...['--prefix', folder, release],
    ]);
    const inside = join(folder, 'node_modules/@mdn/mdn-http-observatory');
    writeFileSync(join(inside, 'conf/hsts-preload.json'), '{}');
    // Another run may have been faster.
    if (existsSync(store)) rmSync(folder, { recursive: true, force: true });
    else renameSync(folder, store);
  }
  return join(store, 'node_modules/@mdn/mdn-http-observatory/src');
}

/** The fields of its requests that its tests read. */
interface Requests {
  responses: Record<string, unknown>;
  resources: { path: string };
  session: unknown;
}

const url = new URL('https://portal.clinic.com/');

/**
 * MDN HTTP Observatory's own tests of a response.
 *
 * @param tests names of files and of their functions, of which one must fail for a report
 */
export function observatory(tests: Readonly<Record<string, string>>): Specialist {
  return {
    name: 'HTTP Observatory',
    async judge(materials) {
      const source = await installed();
      const load = (file: string) => import(pathToFileURL(join(source, file)).href);
      const { Requests } = await load('types.js');
      const { AxiosHeaders } = await load('../../../axios/index.js');
      const { CookieJar } = await load('../../../tough-cookie/dist/cookie/index.js');
      const { parseHttpEquivHeaders } = await load('retriever/utils.js');
      const functions = await Promise.all(
        Object.entries(tests).map(async ([file, name]) => (await load(`analyzer/tests/${file}.js`))[name]),
      );
      return materials.map(material => {
        const { headers, body } = JSON.parse(material) as HeaderMaterial;
        const response = {
          headers: new AxiosHeaders(headers),
          ...{ status: 200, verified: true, data: body },
          httpEquiv: parseHttpEquivHeaders(body, url.href),
        };
        const requests: Requests = new Requests(url.hostname);
        for (const visit of ['auto', 'cors', 'http', 'https']) requests.responses[visit] = response;
        requests.resources.path = body;
        const jar = new CookieJar();
        for (const cookie of [headers['set-cookie'] ?? []].flat())
          jar.setCookieSync(cookie, url.href, { ignoreError: true });
        requests.session = { url, jar };
        return functions.some(test => test(requests).pass === false);
      });
    },
  };
}
