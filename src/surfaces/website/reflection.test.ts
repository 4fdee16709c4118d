import { expect, it } from 'vitest';
import { clientAnswering } from '../../../test/support/answering-servers.ts';
import { collect, type Handler, running } from '../../../test/support/collecting.ts';
import { inspectionFrom, resolvedBy } from '../../../test/support/resolved-by.ts';
import { httpServer } from '../../../test/support/website.ts';
import { home, response } from '../../detectors/website/hardened-capture.ts';
import type { Inspection } from '../../scan/inspection.ts';
import { probeReflection } from './reflection.ts';

async function reasonsOf(body: string): Promise<string[]> {
  const page = response(home, { headers: [['content-type', 'text/html']], body });
  const probes = await probeReflection(clientAnswering(page), page, null, undefined);
  return probes.flatMap(({ response }) => (response.assessed ? [] : [response.reason]));
}
const links = (count: number) =>
  Array.from({ length: count }, (_, index) => `<a href="/${index}?a=b">`).join('');
const parameters = (count: number) =>
  `<a href="/?${Array.from({ length: count }, (_, index) => `a${index}=b`).join('&amp;')}">`;

it('reports which links of a page it does not request', async () => {
  // The page itself is one of the 30 requests.
  expect(await reasonsOf(links(29))).toEqual([]);
  expect(await reasonsOf(links(30))).toEqual([
    'The page has more links and forms with parameters than the scan tests.',
  ]);
  expect(await reasonsOf(parameters(12))).toEqual([]);
  expect(await reasonsOf(parameters(13))).toEqual(['A URL of the page has more than 12 parameters.']);
  expect(await reasonsOf('<a href="/?a=b">'.repeat(2_000))).toEqual([]);
  expect(await reasonsOf('<a href="/?a=b">'.repeat(2_001))).toEqual([
    'The page has more links with a query than the scan compares.',
  ]);
  expect(await reasonsOf(`<a href="/?a=${'b'.repeat(3_000)}">`)).toEqual([
    'The page links to URLs that are too long to request.',
  ]);
  expect(await reasonsOf(`<a href="/?a=${'b'.repeat(9_000)}">`)).toEqual([
    'The page has an address of more than 8192 characters, or 300 before its path.',
  ]);
});

const check = 'reflection.parameter_as_markup';

function respond(answer: Parameters<Handler>[1], body: string, status = 200): true {
  answer.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  answer.end(
    `<!doctype html><html lang="en"><title>${status === 200 ? 'Shop' : ''}</title><body>${body}</body></html>`,
  );
  return true;
}

/** Scans a search page that reflects its query, before and after a change of its answers. */
async function scans(link: string, change: (url: URL, answer: Parameters<Handler>[1]) => boolean) {
  let isChanged = false;
  const { port } = await running(
    httpServer((request, answer) => {
      const url = new URL(request.url!, 'http://site');
      if (isChanged && change(url, answer)) return;
      if (url.pathname === '/')
        respond(answer, `<a href="${isChanged ? link : '/search?q=shoes'}">Shoes</a>`);
      else if (url.pathname === '/search') respond(answer, `Results for ${url.searchParams.get('q')}`);
      else respond(answer, 'no', 404);
    }),
  );
  const proof = { by: 'well_known_file', address: '127.0.0.1' } as const;
  const options = { depth: 'full', proof, parts: new Set(['reflections']) } as const;
  const scan = async () => inspectionFrom(await collect(`http://127.0.0.1:${port}/`, options));
  const before = await scan();
  isChanged = true;
  return { before, after: await scan() };
}
const placesOf = ({ seen }: Inspection) => seen.filter(({ category }) => category === check).length;
const isMarked = (url: URL) => url.pathname === '/search' && /[<"]/.test(url.searchParams.get('q') ?? '');

it.each([
  ['404', 404, '<h1>Not found</h1>', 'gets a different page than one with letters'],
  ['400', 400, '<h1>Bad Request</h1>', 'gets a different page than one with letters'],
  [
    'a different page',
    200,
    '<title>Sorry</title>Your support ID is 12',
    'a different page than one with letters',
  ],
  ['an error', 200, '<title>Request Rejected</title>Your support ID is 12', 'An error message is shown'],
])('does not treat a firewall’s answer as the page’s: %s', async (_, status, body, expected) => {
  const { before, after } = await scans('/search?q=shoes', (url, answer) => {
    if (!isMarked(url)) return false;
    answer.writeHead(status, { 'content-type': 'text/html' }).end(body);
    return true;
  });
  expect(placesOf(before)).toBe(1);
  expect(resolvedBy(before, after)).toEqual([]);
  const reason = after.outcomes.find(outcome => outcome.check === check)?.reason;
  expect(reason).toContain(expected);
});

it('marks one parameter at a time if the page refuses all at once', async () => {
  const { before, after } = await scans('/search?q=shoes&amp;page=1', (url, answer) => {
    const isNumber = /^[0-9]+$/.test(url.searchParams.get('page') ?? '1');
    return url.pathname === '/search' && !isNumber && respond(answer, '<h1>Bad request</h1>', 400);
  });
  expect([placesOf(before), placesOf(after)]).toEqual([1, 1]);
});

it('resolves a parameter that the page now encodes', async () => {
  const { before, after } = await scans('/search?q=shoes', (url, answer) => {
    const text = url.searchParams.get('q')?.replace(/[<>"'&]/g, character => `&#${character.charCodeAt(0)};`);
    return url.pathname === '/search' && respond(answer, `Results for ${text}`);
  });
  expect(resolvedBy(before, after)).toEqual([check]);
});
