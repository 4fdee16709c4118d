import type { OutgoingHttpHeaders } from 'node:http';
import { goodHeaders } from '../../../test/support/hardened-site.ts';
import type { AccuracyCase } from '../case.ts';
import { document, websiteCase } from '../website-case.ts';

/** Fields by name in lowercase. A list is sent as repeated fields, and undefined removes one. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What specialists read: fields by name in lowercase, with a list for repeated ones, and the document. */
export interface HeaderMaterial {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

export interface HeaderCase {
  readonly name: string;
  /** Replace or, if undefined, remove headers of the hardened site. A list is sent as repeated fields. */
  readonly headers?: Fields;
  /** Elements of the page’s head. */
  readonly head?: string;
  readonly flaws: readonly string[];
  readonly also?: readonly string[];
}

/** A hardened site whose page has other headers or meta elements. */
export function headerCase({ name, headers = {}, head = '', flaws, also = [] }: HeaderCase): AccuracyCase {
  const body = document(head, '<h1>Welcome</h1>');
  const sent = Object.entries({ ...goodHeaders, ...headers }).filter(([, value]) => value !== undefined);
  return {
    ...websiteCase({ name, flaws, also, headers: headers as OutgoingHttpHeaders, answers: { '/': body } }),
    material: JSON.stringify({ headers: Object.fromEntries(sent), body }),
  };
}

/** A row of a table of cases. */
export type Row = readonly [
  name: string,
  headers: Fields,
  flaws: string | readonly string[] | null,
  head?: string,
];

/** Cases of a hardened site with other headers, from a table. */
export const headerCases = (rows: readonly Row[], also: readonly string[] = []) =>
  rows.map(([name, headers, flaws, head]) =>
    headerCase({ name, headers, flaws: [flaws ?? []].flat(), also, ...(head ? { head } : {}) }),
  );
