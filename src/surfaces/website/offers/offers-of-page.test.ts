import { expect, it } from 'vitest';
import { home, response } from '../../../detectors/website/hardened-capture.ts';
import { offeredParameters } from './offered-parameters.ts';
import { offersOfPage } from './offers-of-page.ts';

const pageWith = (body: string) => response(home, { headers: [['content-type', 'text/html']], body });

/** Paths and parameters of the page that a full scan tests. */
const offeredBy = (body: string) =>
  offersOfPage(pageWith(body), new URL(home).origin).candidates.map(
    ({ url, names }) => `${url.pathname}${url.search} ${names.join(' ')}`,
  );

it.each([
  [
    '/search?in=all q',
    '<form action="/search"><input type=hidden name=in value=all><input name=q><button>Search</button></form>',
  ],
  ['/find q', '<form action="/find"><input name=q><input type=submit name=go value=Submit></form>'],
  [
    '/find q',
    '<form action="/find"><input name=q value="how to delete it"><button type=reset>Reset</button></form>',
  ],
  [
    '/find q',
    '<form id=f action="/find"><input name=q></form><button form=g name=do value=delete>Delete</button>',
  ],
  ['/read?file=a.pdf file', '<a href="/read?file=a.pdf">Download</a>'],
  ['/read?id=5 id', '<a href="/read?id=5">How to delete an account that a former employee left</a>'],
  ['/read?id=5 id', '<a href="/read?id=5">'],
])('offers %s', (offered, body) => expect(offeredBy(body)).toEqual([offered]));

it.each([
  '<form action=/account><input type=hidden name=id value=5><input name=reason><button name=do value=delete>Delete my account</button></form>',
  '<form action=/account><input name=reason><button name=do value=delete>OK</button></form>',
  '<form action=/account><input name=reason><button>Konto <b>löschen</b></button></form>',
  '<form action=/account><input name=reason><input type=submit value="Remove"></form>',
  '<form action=/account><input name=reason><input type=image alt="Delete"></form>',
  '<form action=/account><input name=reason><button formaction=/account/delete>OK</button></form>',
  '<form action=/account><input name=reason><input type=radio name=what value=delete></form>',
  '<form action=/account><input name=reason><button onclick="return confirm(\'Really?\')">OK</button></form>',
  '<form action=/account onsubmit="return confirm()"><input name=reason></form>',
  '<form action=/account id=delete-account><input name=reason></form>',
  '<form action=/account id=f><input name=reason></form><button form=f name=do value=delete>OK</button>',
  '<button form=f>Delete</button><form action=/account id=f><input name=reason></form>',
  '<form action=/transfer><input name=amount></form>',
  '<form action=/withdraw><input name=amount></form>',
  '<form action=/konto/loeschen><input name=grund></form>',
  '<form action=/account><input type=hidden name=op value=frobnicate><input name=reason></form>',
  '<form action=/account><input name=deleteReason></form>',
  '<a href="/deleteuser?id=9">OK</a>',
  '<a href="/users?id=7&amp;op=del">OK</a>',
  '<a href="/users?id=7">Delete</a>',
  '<a href="/users?id=7" title="Delete this user">x</a>',
  '<a href="/users?id=7" onclick="return confirm(\'Sure?\')">x</a>',
  '<a href="/users?id=7" data-confirm="Sure?">x</a>',
  '<a href="/users?id=7" hx-delete="/users/7">x</a>',
])('offers nothing of %s', body => expect(offeredBy(body)).toEqual([]));

it('does not request the place of a finding again if it may act', () => {
  const again = (place: string) => offeredParameters(pageWith('<p>'), `${home}${place} parameter id`);
  expect(again('doctors')).toMatchObject({ candidates: [{ names: ['id'] }, {}], leftOut: null });
  expect(again('deleteuser')).toMatchObject({
    candidates: [{ names: ['parapet'] }],
    leftOut: 'The words of the finding’s URL suggest an action.',
  });
});

it('reads many forms with many buttons in linear time', () => {
  const forms = '<form id=f><input name=q></form>'.repeat(2_000);
  const started = performance.now();
  expect(offeredBy(`${'<button form=f value=x>'.repeat(10_000)}${forms}`)).toHaveLength(2_000);
  expect(performance.now() - started).toBeLessThan(3_000);
});
