import type { ExposurePath } from '../../captures/listed-paths.ts';
import { PageAddresses } from '../../captures/page-addresses.ts';
import { readTags } from '../../captures/read-tags.ts';
import type { HttpResponse } from '../../captures/website.ts';

/** Files that a server runs: a copy with another ending is sent as text. */
const sourceFile = /^(.{0,200}\/)([\w.-]{1,60}\.(?:php|phtml|jspx?|aspx?|ashx|cfm|cgi|pl|py))$/i;

/** Names of the copies that editors and people leave beside a file, the most usual first. */
const copies: readonly ((folder: string, name: string) => string)[] = [
  (folder, name) => `${folder}${name}.bak`,
  (folder, name) => `${folder}${name}~`,
  (folder, name) => `${folder}${name}.old`,
  (folder, name) => `${folder}.${name}.swp`,
  (folder, name) => `${folder}${name}.orig`,
  (folder, name) => `${folder}${name}.save`,
];

const mostFiles = 5;

/** Copies of the files that a page links to or submits forms to, one of each file before the next copies. */
export function copiesOfFiles(page: HttpResponse, origin: string): readonly ExposurePath[] {
  const files = new Map<string, readonly [folder: string, name: string]>();
  const addresses = new PageAddresses(page.url);
  readTags(page.body, {
    onOpen(name, attributes) {
      const reference = name === 'a' ? attributes.href : name === 'form' ? attributes.action : undefined;
      if (reference === undefined || files.size >= mostFiles) return;
      const url = addresses.resolve(reference);
      const parts = url?.origin === origin ? sourceFile.exec(url.pathname) : null;
      if (parts !== null) files.set(parts[0], [parts[1]!, parts[2]!]);
    },
  });
  return copies.flatMap(copy =>
    [...files.values()].map(([folder, name]): ExposurePath => ({ path: copy(folder, name), kind: 'named' })),
  );
}
