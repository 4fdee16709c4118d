import type http from 'node:http';
import { expect, it } from 'vitest';
import { authority, collect, running } from '../../../test/support/collecting.ts';
import { httpServer, httpsServer } from '../../../test/support/website.ts';
import type { PageScript } from '../../captures/website.ts';
import { createTargetGuard } from '../connection/target-guard.ts';

type Answer = Readonly<{ status?: number; headers?: http.OutgoingHttpHeaders; body?: string }>;

/** A server with these responses, and the requests to it besides the fixed paths. */
function site(answers: Readonly<Record<string, Answer>>) {
  const asked: { url: string; authorization: string | undefined }[] = [];
  const handler: http.RequestListener = (request, response) => {
    const url = request.url ?? '';
    const answer = answers[url] ?? { status: 404, body: 'Not here' };
    if (url.includes('.js')) asked.push({ url, authorization: request.headers.authorization });
    const type = url.includes('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
    response.writeHead(answer.status ?? 200, { 'content-type': type, ...answer.headers });
    response.end(answer.body ?? '');
  };
  return { asked, handler };
}

const parts = new Set(['scripts']);

async function scriptsOf(answers: Readonly<Record<string, Answer>>) {
  const { asked, handler } = site(answers);
  const { port } = await running(httpServer(handler));
  const { scripts } = await collect(`http://127.0.0.1:${port}/`, { parts });
  const list = scripts.assessed ? scripts.value : [];
  return { asked: asked.map(({ url }) => url), list, results: list.map(resultOf) };
}

function resultOf({ url, response }: PageScript): readonly [string, string] {
  const { pathname, search } = new URL(url);
  return [pathname + search, response.assessed ? response.value.body : `not assessed: ${response.reason}`];
}

it('fetches scripts that run, from the page’s own site, each once and in order', async () => {
  const { asked, results } = await scriptsOf({
    '/': {
      body: `<base href="/assets/"><script src="b.js?v=1#top"></script><script src="b.js?v=1"></script>
        <script type="module" src="/a.js"></script><link rel="modulepreload" href="c.js">
        <link rel="preload" as="style" href="d.js"><script type="application/json" src="e.js"></script>
        <script nomodule src="f.js"></script><script src="https://cdn.example/g.js"></script>
        <script src="data:text/javascript,1"></script><script src=""></script><script>inline()</script>`,
    },
    '/assets/b.js?v=1': { body: 'b()' },
    '/a.js': { body: 'a()' },
    '/assets/c.js': { body: 'c()' },
  });
  expect(asked).toEqual(['/assets/b.js?v=1', '/a.js', '/assets/c.js']);
  expect(results).toEqual([
    ['/assets/b.js?v=1', 'b()'],
    ['/a.js', 'a()'],
    ['/assets/c.js', 'c()'],
  ]);
});

it('keeps nothing of error pages, and assesses no script by an answer that may be for the scan only', async () => {
  const html = { 'content-type': 'text/html' };
  const names = ['one-page', 'called', 'challenge', 'sniffed', 'gone', 'denied', 'real'];
  const body = `<!doctype html>${names.map(name => `<script src=${name}.js></script>`).join('')}`;
  const { results } = await scriptsOf({
    '/': { body },
    '/one-page.js': { headers: html, body },
    '/called.js': { headers: html, body: 'run()' },
    '/challenge.js': { headers: html, body: '<!doctype html><p>One moment' },
    '/sniffed.js': { body: '\n<!DOCTYPE html><title>Portal</title>' },
    '/denied.js': { status: 403, body: 'Are you a robot?' },
    '/real.js': { body: 'const html = "<!doctype html>";' },
  });
  expect(results).toEqual([
    ['/one-page.js', ''],
    ['/called.js', 'run()'],
    ['/challenge.js', 'not assessed: The server returned a page instead of a script.'],
    ['/sniffed.js', 'not assessed: The server returned a page instead of a script.'],
    ['/gone.js', ''],
    ['/denied.js', 'not assessed: A script answers the scan with status 403.'],
    ['/real.js', 'const html = "<!doctype html>";'],
  ]);
});

it('assesses no script by data, plain text or a redirect', async () => {
  const body = ['words', 'data', 'moved', 'gone'].map(name => `<script src=${name}.js></script>`).join('');
  const { results } = await scriptsOf({
    '/': { body: `<!doctype html>${body}` },
    '/words.js': { headers: { 'content-type': 'text/html' }, body: 'Access denied' },
    '/data.js': { headers: { 'content-type': 'application/json' }, body: '{"error":"blocked"}' },
    '/moved.js': { status: 302, headers: { location: '/' } },
    '/gone.js': { status: 302, headers: { location: '/nowhere' } },
  });
  expect(results).toEqual([
    ['/words.js', 'not assessed: The server returned text without code instead of a script.'],
    ['/data.js', 'not assessed: The server returned application/json instead of a script.'],
    ['/moved.js', 'not assessed: A script is redirected to a response that is not a script.'],
    ['/gone.js', 'not assessed: A script is redirected to a response that is not a script.'],
  ]);
});

it('assesses no script by a tag, a challenge, a message or data, of any media type', async () => {
  const js = { 'content-type': 'text/javascript' };
  const files = {
    '/tag.js': { headers: js, body: '<h1>Blocked</h1>' },
    '/comment.js': { headers: js, body: '/* wait */ <!-- wait -->\n<!doctype html><p>Wait' },
    '/challenge.js': { headers: { ...js, 'cf-mitigated': 'challenge' }, body: 'var a=1' },
    '/message.js': { headers: { 'content-type': 'text/plain' }, body: 'Rate limit exceeded' },
    '/data.js': { headers: js, body: '{"error":"blocked"}' },
    '/remarks.js': { headers: js, body: '/* nothing yet */' },
    '/strict.js': { headers: { 'content-type': 'text/plain' }, body: '<!-- old\n"use strict";a()' },
  };
  const body = Object.keys(files)
    .map(name => `<script src=${name}></script>`)
    .join('');
  const { results } = await scriptsOf({ '/': { body: `<!doctype html>${body}` }, ...files });
  expect(results).toEqual([
    ['/tag.js', 'not assessed: The server returned a page instead of a script.'],
    ['/comment.js', 'not assessed: The server returned a page instead of a script.'],
    ['/challenge.js', 'not assessed: A bot protection service answers instead of a script.'],
    ['/message.js', 'not assessed: The server returned text without code instead of a script.'],
    ['/data.js', 'not assessed: The server returned data instead of a script.'],
    ['/remarks.js', '/* nothing yet */'],
    ['/strict.js', '<!-- old\n"use strict";a()'],
  ]);
});

it('reads the modules that a script imports from the site, each once, and none of other sites', async () => {
  const { asked } = await scriptsOf({
    '/': {
      body: '<script type=module src=/js/main.js></script><script type=module>import "/boot.js"</script>',
    },
    '/js/main.js': {
      body: 'import{a as b}from"./a.js";import c from "../c.js";import "https://cdn.example/d.js";import e from "react";export*from"./a.js"',
    },
    '/js/a.js': { body: 'import "./main.js";a()' },
    '/c.js': { body: 'c()' },
    '/boot.js': { body: 'boot()' },
  });
  expect(asked).toEqual(['/js/main.js', '/boot.js', '/js/a.js', '/c.js']);
});

it('reads scripts that a cache delays, but not those that wait for consent', async () => {
  const { asked } = await scriptsOf({
    '/': {
      body: `<script type="rocketlazyloadscript" data-rocket-src="/late.js"></script>
        <script type="litespeed/javascript" data-src="/later.js"></script>
        <script type="text/plain" src="/consent.js"></script><script data-src="/never.js"></script>`,
    },
    '/late.js': { body: 'late()' },
    '/later.js': { body: 'later()' },
  });
  expect(asked).toEqual(['/late.js', '/later.js']);
});

it('keeps to the limits on one script, on all of them, and on their number', async () => {
  const large = { body: 'x'.repeat(2 * 1024 * 1024 + 10) };
  const names = Array.from({ length: 14 }, (_, index) => `/${index}.js`);
  const tags = (list: readonly string[]) => list.map(name => `<script src="${name}"></script>`).join('');
  const many = await scriptsOf({
    '/': { body: tags(names) },
    ...Object.fromEntries(names.map(name => [name, { body: 'x' }])),
  });
  expect(many.asked).toEqual(names.slice(0, 12));
  expect(many.list.map(({ response }) => response.assessed)).toEqual(names.map((_, index) => index < 12));
  const heavy = await scriptsOf({
    '/': { body: tags(names.slice(0, 4)) },
    ...Object.fromEntries(names.map(name => [name, large])),
  });
  expect(heavy.asked).toEqual(names.slice(0, 3));
  const lengths = heavy.list.map(({ response }) =>
    response.assessed ? [response.value.body.length, response.value.body_truncated] : response.reason,
  );
  const two = 2 * 1024 * 1024;
  expect(lengths).toEqual([
    [two, true],
    [two, true],
    [two / 2, true],
    'The scripts of the page are larger in total than the scan reads.',
  ]);
});

it('follows a redirect within the site, and none away from it', async () => {
  const { results } = await scriptsOf({
    '/': {
      body: '<script src=/old.js></script><script src=/away.js></script><script src=/loop.js></script>',
    },
    '/old.js': { status: 302, headers: { location: '/new.js' } },
    '/new.js': { body: 'moved()' },
    '/away.js': { status: 302, headers: { location: 'https://other.example/x.js' } },
    '/loop.js': { status: 302, headers: { location: '/loop.js' } },
  });
  expect(results).toEqual([
    ['/old.js', 'moved()'],
    ['/away.js', 'not assessed: The script is redirected to another site.'],
    ['/loop.js', 'not assessed: The redirects of a script could not be followed.'],
  ]);
});

it('sends no more requests after the site limits them', async () => {
  const { asked, results } = await scriptsOf({
    '/': { body: '<script src=/a.js></script><script src=/b.js></script>' },
    '/a.js': { status: 429 },
  });
  expect(asked).toEqual(['/a.js']);
  expect(results[1]).toEqual(['/b.js', 'not assessed: The site answered with status 429 or 503.']);
});

it('sends the credential only to the source’s own origin, and checks every address', async () => {
  const leaf = authority.issue({ covers: ['portal.example', 'static.portal.example'] });
  const tls = { key: leaf.key, cert: leaf.chain };
  const other = site({ '/b.js': { body: 'b()' } });
  const { port: otherPort } = await running(httpsServer(tls, other.handler));
  const own = site({
    '/': {
      body: `<script src=/a.js></script><script src=https://static.portal.example:${otherPort}/b.js></script>
        <script src=https://inside.portal.example/c.js></script>`,
    },
    '/a.js': { body: 'a()' },
  });
  const { port } = await running(httpsServer(tls, own.handler));
  const guard = createTargetGuard({
    allowlist: ['127.0.0.1'],
    resolve: name => Promise.resolve([name.startsWith('inside.') ? '10.0.0.1' : '127.0.0.1']),
  });
  const { scripts } = await collect(`portal.example:${port}`, {
    guard,
    parts,
    credential: { type: 'basic', username: 'scan', password: 'open sesame' },
  });
  expect(own.asked).toEqual([{ url: '/a.js', authorization: expect.stringMatching(/^Basic /) }]);
  expect(other.asked).toEqual([{ url: '/b.js', authorization: undefined }]);
  expect(scripts.assessed && scripts.value.map(resultOf)).toEqual([
    ['/a.js', 'a()'],
    ['/b.js', 'b()'],
    ['/c.js', 'not assessed: The host has an address that is not public and not allowed.'],
  ]);
});

it('reads scripts of documents only', async () => {
  const json = await scriptsOf({
    '/': { headers: { 'content-type': 'application/json' }, body: '{"x":"<script src=/a.js></script>"}' },
  });
  expect(json.asked).toEqual([]);
  const { handler } = site({ '/': { status: 404, body: '<script src=/a.js></script>' } });
  const { port } = await running(httpServer(handler));
  const { scripts } = await collect(`http://127.0.0.1:${port}/`, { parts });
  expect(scripts).toEqual({ assessed: false, reason: 'The page returns status 404.' });
});

it('fetches preloaded modules, however many relations the link has', async () => {
  const body = `<!doctype html><link rel="${'a '.repeat(30)}modulepreload" href="/module.js">`;
  const { asked } = await scriptsOf({ '/': { body }, '/module.js': { body: 'a()' } });
  expect(asked).toEqual(['/module.js']);
});

it('follows names by an import map', async () => {
  const { results } = await scriptsOf({
    '/': {
      body: `<!doctype html><script type="importmap">{"imports":{"app":"/js/app.js","lib/":"/lib/"}}</script>
        <script type="module">import "app"; import x from 'lib/x.js'; import "unknown"</script>`,
    },
    '/js/app.js': { body: 'app()' },
    '/lib/x.js': { body: 'x()' },
  });
  expect(results).toEqual([
    ['/js/app.js', 'app()'],
    ['/lib/x.js', 'x()'],
  ]);
});

it.each([
  '<script type="importmap">{"imports":</script><script type="module">import "app"</script>',
  '<script data-main="/js/main" src="/require.js"></script>',
])('reports that it does not follow scripts loaded by name: %s', async body => {
  const { results } = await scriptsOf({
    '/': { body: `<!doctype html>${body}` },
    '/require.js': { body: 'a()' },
    '/js/main.js': { body: 'a()' },
  });
  expect(results.at(-1)).toEqual([
    '/',
    'not assessed: The page loads scripts by name, which the scan does not resolve.',
  ]);
});

it('reads what a page loads at once before what it may load later, important names first', async () => {
  const { results } = await scriptsOf({
    '/': { body: '<!doctype html><script type="module" src="/assets/index.js"></script>' },
    '/assets/index.js': {
      body: 'import"./shared.js";const a=()=>import("./locale-de.js"),b=()=>import(`./Page.js`),c=()=>import("./config.js")',
    },
    ...Object.fromEntries(
      ['shared', 'locale-de', 'Page', 'config'].map(name => [`/assets/${name}.js`, { body: `${name}=1` }]),
    ),
  });
  expect(results.map(([path]) => path)).toEqual(
    ['index', 'shared', 'config', 'Page', 'locale-de'].map(name => `/assets/${name}.js`),
  );
});
