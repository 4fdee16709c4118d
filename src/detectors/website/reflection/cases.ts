import { markedText } from '../../../captures/marked-text.ts';
import type { PageTraits } from '../../../captures/own-answer.ts';
import type { HttpResponse, WebsiteCapture } from '../../../captures/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { captureWith, headersWith, home, notSeen, response, seen } from '../hardened-capture.ts';

const marker = 'p0123456789ab';
const sent = markedText(marker);
const encoded = sent
  .replaceAll('&', '&amp;')
  .replaceAll('<', '&lt;')
  .replaceAll('>', '&gt;')
  .replaceAll('"', '&quot;')
  .replaceAll("'", '&#39;');

const traits = { status: 200, title: 'Search', echoed: [] };

function answered(
  body: string,
  changes: Partial<HttpResponse> = {},
  harmless: Partial<PageTraits> = { status: changes.status ?? 200 },
): WebsiteCapture {
  const url = `${home}search`;
  const page = `<!doctype html><html><head><title>Search</title></head><body>${body}</body></html>`;
  return captureWith({
    reflections: seen([
      {
        url,
        parameters: [{ name: 'q', marker }],
        harmless: seen({ ...traits, ...harmless }),
        response: seen(response(url, { body: page, ...changes })),
      },
    ]),
  });
}

const flaw = { check: 'reflection.parameter_as_markup', locator: `${home}search parameter q` };
const json = headersWith({ 'content-type': 'application/json' });

export const cases: readonly GoldenCase<WebsiteCapture>[] = [
  { name: 'a hardened site', capture: captureWith(), expected: [] },
  { name: 'text, unencoded', capture: answered(`<p>Results for ${sent}</p>`), expected: [flaw] },
  {
    name: 'an attribute value, unencoded',
    capture: answered(`<input name="q" value="${sent}">`),
    expected: [flaw],
  },
  {
    name: 'an attribute value with only its quotes unencoded',
    capture: answered(`<input value="${marker}"'&lt;/${marker}&gt;&lt;${marker}&gt;">`),
    expected: [flaw],
  },
  {
    name: 'an attribute value in single quotes with only those unencoded',
    capture: answered(`<input value='${marker}&quot;'&lt;/${marker}&gt;&lt;${marker}&gt;'>`),
    expected: [flaw],
  },
  {
    name: 'a string of a script',
    capture: answered(`<script>var q = "${sent}";</script>`),
    expected: [flaw],
  },
  {
    name: 'JSON in a script with an unencoded closing tag',
    capture: answered(`<script>var q = ${JSON.stringify(sent)};</script>`),
    expected: [flaw],
  },
  { name: 'an error page', capture: answered(`No page ${sent}`, { status: 404 }), expected: [flaw] },
  {
    name: 'encoded text and attributes',
    capture: answered(`<p>Results for ${encoded}</p><input value="${encoded}"><input value='${encoded}'>`),
    expected: [],
  },
  {
    name: 'an attribute with only the relevant characters encoded',
    capture: answered(`<input value="${sent.replaceAll('"', '&quot;')}">`),
    expected: [],
  },
  {
    name: 'a script with the tag in another form',
    capture: answered(
      `<script>var q = ${JSON.stringify(sent).replaceAll('<', '\\u003c')}, r = ${JSON.stringify(sent).replaceAll('/', '\\/')};</script>`,
    ),
    expected: [],
  },
  {
    name: 'special characters removed',
    capture: answered(
      `<input value="${sent.replace(/\W/g, '')}"><a href="/?q=${marker}">more</a><p title='${marker}'>`,
    ),
    expected: [],
  },
  {
    name: 'a link with the encoded query',
    capture: answered(`<a href="/search?q=${encodeURIComponent(sent).replaceAll("'", '%27')}">next</a>`),
    expected: [],
  },
  { name: 'no reflection', capture: answered('<p>No results</p>'), expected: [] },
  { name: 'JSON', capture: answered(`{"q":"${sent}"}`, { headers: json }), expected: [] },
  {
    name: 'a firewall that refuses test text',
    capture: answered('Forbidden', { status: 403 }),
    expected: [],
    notAssessed: ['reflection.parameter_as_markup'],
  },
  ...[400, 404].map(status => ({
    name: `a firewall that answers test text with ${status}`,
    capture: answered('No such page', { status }, { echoed: [marker] }),
    expected: [],
    notAssessed: ['reflection.parameter_as_markup'],
  })),
  {
    name: 'a firewall that answers test text with a block page',
    capture: answered(
      '',
      { body: '<title>Request Rejected</title>Your support ID is 12' },
      { echoed: [marker] },
    ),
    expected: [],
    notAssessed: ['reflection.parameter_as_markup'],
  },
  {
    name: 'a page that omits text with markup',
    capture: answered('<p>Results for nothing</p>', {}, { echoed: [marker] }),
    expected: [],
  },
  {
    name: 'an error page that shows the test text',
    capture: answered(`No page ${sent}`, { status: 404 }, { echoed: [marker] }),
    expected: [flaw],
    notAssessed: ['reflection.parameter_as_markup'],
  },
  {
    name: 'a search without a response',
    capture: captureWith({
      reflections: seen([
        {
          url: `${home}search`,
          parameters: [{ name: 'q', marker }],
          harmless: seen(traits),
          response: notSeen(),
        },
      ]),
    }),
    expected: [],
    notAssessed: ['reflection.parameter_as_markup'],
  },
  {
    name: 'a safe scan',
    capture: captureWith({ reflections: notSeen('Only a full scan requests it.') }),
    expected: [],
    notAssessed: ['reflection.parameter_as_markup'],
  },
];
