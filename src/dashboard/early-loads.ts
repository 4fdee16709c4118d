import { readFile } from 'node:fs/promises';

/** A page of an organization, with files of `dist/web`, as the build lists them. */
interface BuiltRoute {
  /** Below `/o/<organization>/`, such as `sources/:sourceId`. */
  readonly pattern: string;
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

const isId = (text: string | undefined) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text ?? '');

/** The first requests of pages whose address has no filters, below the organization's. Each is exactly what the page sends. */
const firstRequests: Readonly<Record<string, readonly string[]>> = {
  overview: ['overview'],
  findings: ['findings?status=open', 'findings/counts?status=open'],
  systems: ['systems'],
  sources: ['sources'],
  'sources/:sourceId': ['sources/:id'],
  probes: ['probes'],
  controls: ['controls'],
  shield: ['shield'],
};

/** @param folder of the built pages */
export async function readBuiltRoutes(folder: string): Promise<readonly BuiltRoute[]> {
  return readFile(`${folder}routes.json`, 'utf8').then(JSON.parse, () => []);
}

/**
 * Tags with which a browser requests the code of a page, and the data of signed-in people, along with the scripts that
 * would request them: one round trip to the service instead of two before and one after the scripts.
 * @param address below the dashboard, such as `o/<organization>/findings`, with filters
 */
export function earlyLoads(routes: readonly BuiltRoute[], address: string, mayBeSignedIn: boolean): string {
  const [place = '', filters] = address.split('?', 2);
  const [, organization, ...page] = place.split('/');
  if (!place.startsWith('o/') || !isId(organization)) return '';
  const route = routes.find(({ pattern }) => {
    const parts = pattern.split('/');
    return (
      parts.length === page.length &&
      parts.every((part, at) => (part.startsWith(':') ? isId(page[at]) : part === page[at]))
    );
  });
  if (!route) return '';
  const requests = mayBeSignedIn && !filters ? (firstRequests[route.pattern] ?? []) : [];
  const object = page.find(isId) ?? '';
  return [
    ...requests.map(
      path =>
        `<link rel="preload" as="fetch" href="./api/organizations/${organization}/${path.replace(':id', object)}" crossorigin>`,
    ),
    ...route.styles.map(file => `<link rel="stylesheet" href="./${file}" crossorigin>`),
    ...route.scripts.map(file => `<link rel="modulepreload" href="./${file}" crossorigin>`),
  ].join('');
}
