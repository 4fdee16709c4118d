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
  { name: 'text as it was sent', capture: answered(`<p>Results for ${sent}</p>`), expected: [flaw] },
  {
    name: 'the value of an attribute as it was sent',
    capture: answered(`<input name="q" value="${sent}">`),
    expected: [flaw],
  },
  {
    name: 'an attribute whose value is encoded but for its quotes',
    capture: answered(`<input value="${marker}"'&lt;/${marker}&gt;&lt;${marker}&gt;">`),
    expected: [flaw],
  },
  {
    name: 'an attribute in single quotes whose value is encoded but for those',
    capture: answered(`<input value='${marker}&quot;'&lt;/${marker}&gt;&lt;${marker}&gt;'>`),
    expected: [flaw],
  },
  {
    name: 'a string of a script',
    capture: answered(`<script>var q = "${sent}";</script>`),
    expected: [flaw],
  },
  {
    name: 'JSON in a script, which a closing tag would end',
    capture: answered(`<script>var q = ${JSON.stringify(sent)};</script>`),
    expected: [flaw],
  },
  { name: 'an error page', capture: answered(`No page ${sent}`, { status: 404 }), expected: [flaw] },
  {
    name: 'text and attributes encoded',
    capture: answered(`<p>Results for ${encoded}</p><input value="${encoded}"><input value='${encoded}'>`),
    expected: [],
  },
  {
    name: 'an attribute in which only what matters there is encoded',
    capture: answered(`<input value="${sent.replaceAll('"', '&quot;')}">`),
    expected: [],
  },
  {
    name: 'a script with the tag written otherwise',
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
    name: 'a link with the query as browsers send it',
    capture: answered(`<a href="/search?q=${encodeURIComponent(sent).replaceAll("'", '%27')}">next</a>`),
    expected: [],
  },
  { name: 'nothing comes back', capture: answered('<p>No results</p>'), expected: [] },
  { name: 'JSON', capture: answered(`{"q":"${sent}"}`, { headers: json }), expected: [] },
  {
    name: 'a firewall that refuses marked text',
    capture: answered('Forbidden', { status: 403 }),
    expected: [],
    notAssessed: ['reflection.parameter_as_markup'],
  },
  ...[400, 404].map(status => ({
    name: `a firewall that answers marked text with ${status}`,
    capture: answered('No such page', { status }, { echoed: [marker] }),
    expected: [],
    notAssessed: ['reflection.parameter_as_markup'],
  })),
  {
    name: 'a firewall that answers marked text with a page of its own',
    capture: answered(
      '',
      { body: '<title>Request Rejected</title>Your support ID is 12' },
      { echoed: [marker] },
    ),
    expected: [],
    notAssessed: ['reflection.parameter_as_markup'],
  },
  {
    name: 'a page that leaves out text with markup',
    capture: answered('<p>Results for nothing</p>', {}, { echoed: [marker] }),
    expected: [],
  },
  {
    name: 'an error page for marked text that shows it',
    capture: answered(`No page ${sent}`, { status: 404 }, { echoed: [marker] }),
    expected: [flaw],
    notAssessed: ['reflection.parameter_as_markup'],
  },
  {
    name: 'a search that does not answer',
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
    capture: captureWith({ reflections: notSeen('Only a full scan asks for it.') }),
    expected: [],
    notAssessed: ['reflection.parameter_as_markup'],
  },
];
