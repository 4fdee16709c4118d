import type { HttpResponse } from '../../../../captures/website.ts';
import { AnchorTable } from '../../anchor-table.ts';
import { isBuiltText } from '../../documentation.ts';
import { accounts } from './accounts.ts';
import { adminConsoles } from './admin-consoles.ts';
import { databaseConsoles } from './database-consoles.ts';
import { debuggers } from './debuggers.ts';
import { defaultPages } from './default-pages.ts';
import { installers } from './installers.ts';
import { monitoring } from './monitoring.ts';
import type { Product, ProductKind } from './product.ts';
import { versionFiles } from './version-files.ts';

/** In order of precedence: of each kind, the first that matches wins. */
const all: readonly Product[] = [
  ...installers,
  ...databaseConsoles,
  ...adminConsoles,
  ...monitoring,
  ...debuggers,
  ...defaultPages,
  ...accounts,
  ...versionFiles,
];

const byFirstMark = new AnchorTable<Product>();
for (const product of all) byFirstMark.add(product.marks[0], product);

/** Characters of a response that are searched: as many as are read of a path. */
const searched = 64 * 1024;

/** The same text is often the answer for every path. */
const known = new WeakMap<HttpResponse, readonly Product[]>();
let last: { readonly text: string; readonly products: readonly Product[] } = { text: '', products: [] };

/** The products that a response shows, at most one of each kind. */
export function productsIn(response: HttpResponse): readonly Product[] {
  const before = known.get(response);
  if (before !== undefined) return before;
  const text = response.body.slice(0, searched);
  if (text !== last.text) last = { text, products: recognize(text) };
  known.set(response, last.products);
  return last.products;
}

/** Kinds that documentation names, and whose pages it quotes. */
const namedInDocumentation: ReadonlySet<ProductKind> = new Set([
  ...(['installer', 'database_console', 'admin_console', 'metrics', 'debugger', 'default_page'] as const),
]);

function recognize(text: string): Product[] {
  const found = new Map<ProductKind, Product>();
  const marked = new Set<Product>();
  byFirstMark.search(text, (_, products) => {
    for (const product of products) marked.add(product);
    return null;
  });
  if (marked.size === 0) return [];
  const isDocumentation = isBuiltText(text);
  for (const product of all) {
    if (found.has(product.kind) || !marked.has(product)) continue;
    if (isDocumentation && namedInDocumentation.has(product.kind)) continue;
    const has = (mark: string | RegExp) => (typeof mark === 'string' ? text.includes(mark) : mark.test(text));
    if (product.marks.every(has) && !product.without?.some(has)) found.set(product.kind, product);
  }
  return [...found.values()];
}
