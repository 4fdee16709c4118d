import type { Specialist } from '../case.ts';
import type { HeaderMaterial } from '../headers/material.ts';
import { installed } from './install.ts';

const release = '@mdn/mdn-http-observatory@1.4.8';

/** Its installation script would download the preload list: no site of the cases is on it. */
const module = `import { writeFileSync } from 'node:fs';
const folder = './node_modules/@mdn/mdn-http-observatory/';
writeFileSync(new URL(folder + 'conf/hsts-preload.json', import.meta.url), '{}');
export const { AxiosHeaders } = await import('axios');
export const { CookieJar } = await import('tough-cookie');
export const { Requests } = await import(folder + 'src/types.js');
export const { parseHttpEquivHeaders } = await import(folder + 'src/retriever/utils.js');
export const load = name => import(folder + 'src/analyzer/tests/' + name + '.js');
`;

/** The fields of its requests that its tests read. */
interface Requests {
  responses: Record<string, unknown>;
  resources: { path: string };
  session: unknown;
}

interface Observatory {
  readonly AxiosHeaders: new (fields: HeaderMaterial['headers']) => object;
  readonly CookieJar: new () => { setCookieSync(cookie: string, url: string, options: object): void };
  readonly Requests: new (hostname: string) => Requests;
  parseHttpEquivHeaders(html: string, url: string): unknown;
  load(name: string): Promise<Record<string, (requests: Requests) => { readonly pass: boolean }>>;
}

const url = new URL('https://portal.clinic.com/');

/**
 * MDN HTTP Observatory's own tests of a response.
 *
 * @param tests names of files and of their functions, of which one must fail for a report
 */
export function observatory(tests: Readonly<Record<string, string>>): Specialist {
  return {
    name: 'HTTP Observatory 1.4.8',
    async judge(materials) {
      const own = await installed<Observatory>([release], module);
      const functions = await Promise.all(
        Object.entries(tests).map(async ([file, name]) => (await own.load(file))[name]!),
      );
      return materials.map(material => {
        const requests = requestsOf(own, JSON.parse(material) as HeaderMaterial);
        return functions.some(test => !test(requests).pass);
      });
    },
  };
}

/** As if it had requested the page itself. */
function requestsOf(own: Observatory, { headers, body }: HeaderMaterial): Requests {
  const response = {
    headers: new own.AxiosHeaders(headers),
    ...{ status: 200, verified: true, data: body },
    httpEquiv: own.parseHttpEquivHeaders(body, url.href),
  };
  const requests = new own.Requests(url.hostname);
  for (const visit of ['auto', 'cors', 'http', 'https']) requests.responses[visit] = response;
  requests.resources.path = body;
  const jar = new own.CookieJar();
  for (const cookie of [headers['set-cookie'] ?? []].flat())
    jar.setCookieSync(cookie, url.href, { ignoreError: true });
  requests.session = { url, jar };
  return requests;
}
