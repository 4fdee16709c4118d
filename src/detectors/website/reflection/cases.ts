import { markedText } from '../../../evidence/marked-text.ts';
import type { PageTraits } from '../../../evidence/own-answer.ts';
import type { HttpResponse, WebsiteEvidence } from '../../../evidence/website.ts';
import type { GoldenCase } from '../../golden-case.ts';
import { evidenceWith, headersWith, home, notSeen, response, seen } from '../hardened-evidence.ts';

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
): WebsiteEvidence {
  const url = `${home}search`;
  const page = `<!doctype html><html><head><title>Search</title></head><body>${body}</body></html>`;
  return evidenceWith({
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

export const cases: readonly GoldenCase<WebsiteEvidence>[] = [
  { name: 'a hardened site', evidence: evidenceWith(), expected: [] },
  { name: 'text as it was sent', evidence: answered(`<p>Results for ${sent}</p>`), expected: [flaw] },
  {
    name: 'the value of an attribute as it was sent',
    evidence: answered(`<input name="q" value="${sent}">`),
    expected: [flaw],
  },
  {
    name: 'an attribute whose value is encoded but for its quotes',
    evidence: answered(`<input value="${marker}"'&lt;/${marker}&gt;&lt;${marker}&gt;">`),
    expected: [flaw],
  },
  {
    name: 'an attribute in single quotes whose value is encoded but for those',
    evidence: answered(`<input value='${marker}&quot;'&lt;/${marker}&gt;&lt;${marker}&gt;'>`),
    expected: [flaw],
  },
  {
    name: 'a string of a script',
    evidence: answered(`<script>var q = "${sent}";</script>`),
    expected: [flaw],
  },
  {
    name: 'JSON in a script, which a closing tag would end',
    evidence: answered(`<script>var q = ${JSON.stringify(sent)};</script>`),
    expected: [flaw],
  },
  { name: 'an error page', evidence: answered(`No page ${sent}`, { status: 404 }), expected: [flaw] },
  {
    name: 'text and attributes encoded',
    evidence: answered(`<p>Results for ${encoded}</p><input value="${encoded}"><input value='${encoded}'>`),
    expected: [],
  },
  {
    name: 'an attribute in which only what matters there is encoded',
    evidence: answered(`<input value="${sent.replaceAll('"', '&quot;')}">`),
    expected: [],
  },
  {
    name: 'a script with the tag written otherwise',
    evidence: answered(
      `<script>var q = ${JSON.stringify(sent).replaceAll('<', '\\u003c')}, r = ${JSON.stringify(sent).replaceAll('/', '\\/')};</script>`,
    ),
    expected: [],
  },
  {
    name: 'special characters removed',
    evidence: answered(
      `<input value="${sent.replace(/\W/g, '')}"><a href="/?q=${marker}">more</a><p title='${marker}'>`,
    ),
    expected: [],
  },
  {
    name: 'a link with the query as browsers send it',
    evidence: answered(`<a href="/search?q=${encodeURIComponent(sent).replaceAll("'", '%27')}">next</a>`),
    expected: [],
  },
  { name: 'nothing comes back', evidence: answered('<p>No results</p>'), expected: [] },
  { name: 'JSON', evidence: answered(`{"q":"${sent}"}`, { headers: json }), expected: [] },
  {
    name: 'a firewall that refuses marked text',
    evidence: answered('Forbidden', { status: 403 }),
    expected: [],
    notAssessed: ['reflection.parameter_as_markup'],
  },
  ...[400, 404].map(status => ({
    name: `a firewall that answers marked text with ${status}`,
    evidence: answered('No such page', { status }, { echoed: [marker] }),
    expected: [],
    notAssessed: ['reflection.parameter_as_markup'],
  })),
  {
    name: 'a firewall that answers marked text with a page of its own',
    evidence: answered(
      '',
      { body: '<title>Request Rejected</title>Your support ID is 12' },
      { echoed: [marker] },
    ),
    expected: [],
    notAssessed: ['reflection.parameter_as_markup'],
  },
  {
    name: 'a page that leaves out text with markup',
    evidence: answered('<p>Results for nothing</p>', {}, { echoed: [marker] }),
    expected: [],
  },
  {
    name: 'an error page for marked text that shows it',
    evidence: answered(`No page ${sent}`, { status: 404 }, { echoed: [marker] }),
    expected: [flaw],
    notAssessed: ['reflection.parameter_as_markup'],
  },
  {
    name: 'a search that does not answer',
    evidence: evidenceWith({
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
    evidence: evidenceWith({ reflections: notSeen('Only a full scan asks for it.') }),
    expected: [],
    notAssessed: ['reflection.parameter_as_markup'],
  },
];
