import { randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { goodHeaders, goodTls } from '../../../test/support/hardened-site.ts';
import { httpsServer } from '../../../test/support/website.ts';
import type { AccuracyCase } from '../case.ts';
import { document, handler, websiteCase } from '../website-case.ts';

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

/** A hardened site whose page has other headers or meta elements. `{nonce}` is another nonce in each response. */
export function headerCase({ name, headers = {}, head = '', flaws, also = [] }: HeaderCase): AccuracyCase {
  const body = document(head, '<h1>Welcome</h1>');
  const sent = Object.entries({ ...goodHeaders, ...headers }).filter(([, value]) => value !== undefined);
  const start = () =>
    httpsServer(goodTls, (request, response) => {
      const fields = Object.entries(headers).map(([field, value]) => [field, withNonce(value)]);
      handler({ '/': body }, Object.fromEntries(fields) as OutgoingHttpHeaders)(request, response);
    });
  return {
    ...websiteCase({ name, flaws, also, start }),
    material: withNonce(JSON.stringify({ headers: Object.fromEntries(sent), body })),
  };
}

const withNonce = <Value extends Fields[string]>(value: Value): Value =>
  (typeof value === 'string'
    ? value.replaceAll('{nonce}', randomBytes(12).toString('base64url'))
    : value) as Value;

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
