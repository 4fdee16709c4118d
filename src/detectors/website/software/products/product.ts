import type { Severity } from '../../../../contract/severity.ts';

/** Kinds that are recognized by content alone, at any path. */
export type ProductKind =
  | 'installer'
  | 'database_console'
  | 'admin_console'
  | 'metrics'
  | 'debugger'
  | 'default_page'
  | 'user_list'
  | 'xml_rpc'
  | 'version_file';

/** A page or an answer of a product, recognized by parts that its own code writes. */
export interface Product {
  readonly kind: ProductKind;
  /** What the response is, as the object of "It is". */
  readonly what: string;
  /** All of them occur. The first is a literal text, which is searched for first. */
  readonly marks: readonly [string, ...(string | RegExp)[]];
  /** None of them occurs. */
  readonly without?: readonly (string | RegExp)[];
  /** Overrides the severity of the kind's check. */
  readonly severity?: Severity;
  /** It requires a login. As the front page of a site, it is what the site is for. */
  readonly requiresLogin?: true;
}

/** A page of a program: its title is the name and no more than a word. Documentation and articles say more. */
export const titled = (name: string): Product['marks'] => [
  `<title>${name}`,
  new RegExp(
    `<title>${name}(?: (?:Admin|Browser|Console|Dashboard|Home|Login|Proxy|Server|UI|Web UI))?\\s{0,9}</title>`,
  ),
];

type More = Omit<Product, 'kind' | 'what' | 'marks'>;

/** Products of one kind. A row has what it is, its marks, and exceptions. */
export const products = (
  kind: ProductKind,
  rows: readonly (readonly [what: string, marks: Product['marks'], more?: More])[],
  ofAll: More = {},
): Product[] => rows.map(([what, marks, more]) => ({ kind, what, marks, ...ofAll, ...more }));
