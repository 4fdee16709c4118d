import { readFile } from 'node:fs/promises';

/** A page, with files of `dist/web`, as the build lists them. */
interface BuiltRoute {
  /** Such as `/sign-in`, or below `/o/<organization>/`, such as `sources/:sourceId`. */
  readonly pattern: string;
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Null if its texts depend on data. */
  readonly header: { readonly title: string; readonly description: string } | null;
}

/** Markup that the service adds to the HTML of a page. */
export interface Early {
  /** For the head. */
  readonly links: string;
  /** For the body. */
  readonly header: string;
}

const nothing: Early = { links: '', header: '' };

const isId = (text: string | undefined) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text ?? '');

/** The first requests of pages whose address has no filters, below the organization's. Each is exactly what the page sends. */
const firstRequests: Readonly<Record<string, readonly string[]>> = {
  overview: ['overview'],
  findings: ['findings?status=open', 'findings/counts?status=open', 'findings/people'],
  systems: ['systems'],
  sources: ['sources'],
  'sources/:sourceId': ['sources/:id'],
  probes: ['probes', 'inventory', 'systems/names'],
  controls: ['controls'],
  shield: ['shield'],
};

/** @param folder of the built pages */
export async function readBuiltRoutes(folder: string): Promise<readonly BuiltRoute[]> {
  return readFile(`${folder}routes.json`, 'utf8').then(JSON.parse, () => []);
}

/**
 * Tags with which a browser requests the code of a page, and the data of signed-in people, along with the scripts that
 * would request them: one round trip to the service instead of two before and one after the scripts. Also the header of the page, which
 * shows as soon as the styles have loaded. The page removes it. Others get those of the sign-in instead, to which the page redirects them.
 * @param address below the dashboard, such as `o/<organization>/findings`, with filters
 */
export function earlyLoads(routes: readonly BuiltRoute[], address: string, mayBeSignedIn: boolean): Early {
  const [place = '', filters] = address.split('?', 2);
  const [, organization, ...page] = place.split('/');
  const isOfOrganization = place.startsWith('o/') && isId(organization);
  const needsSession = isOfOrganization || place === '' || place === 'sign-in';
  if (needsSession && !mayBeSignedIn) return entranceOf(routes, '/sign-in');
  if (!isOfOrganization) return needsSession ? nothing : entranceOf(routes, `/${place}`);
  const route = routes.find(({ pattern }) => {
    const parts = pattern.split('/');
    return (
      parts.length === page.length &&
      parts.every((part, at) => (part.startsWith(':') ? isId(page[at]) : part === page[at]))
    );
  });
  if (!route) return nothing;
  const requests = filters ? [] : (firstRequests[route.pattern] ?? []);
  const object = page.find(isId) ?? '';
  const data = requests.map(
    path =>
      `<link rel="preload" as="fetch" href="./api/organizations/${organization}/${path.replace(':id', object)}" crossorigin>`,
  );
  return { links: data.join('') + filesOf(route), header: headerOf(route.header) };
}

function entranceOf(routes: readonly BuiltRoute[], page: string): Early {
  const route = routes.find(({ pattern }) => pattern === page);
  if (!route) return nothing;
  return { links: filesOf(route), header: headerOf(route.header, ' class="entrance"') };
}

function filesOf({ styles, scripts }: BuiltRoute): string {
  return [
    ...styles.map(file => `<link rel="stylesheet" href="./${file}" crossorigin>`),
    ...scripts.map(file => `<link rel="modulepreload" href="./${file}" crossorigin>`),
  ].join('');
}

function headerOf(header: BuiltRoute['header'], kind = ''): string {
  if (!header) return '';
  const { title, description } = header;
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<div id="early"${kind}><h1>${escaped(title)}</h1><p>${escaped(description)}</p></div>`;
}
