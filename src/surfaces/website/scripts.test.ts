import type http from 'node:http';
import { expect, it } from 'vitest';
import { authority, collect, running } from '../../../test/support/collecting.ts';
import { httpServer, httpsServer } from '../../../test/support/website.ts';
import type { PageScript } from '../../captures/website.ts';
import { createTargetGuard } from '../connection/target-guard.ts';

type Answer = Readonly<{ status?: number; headers?: http.OutgoingHttpHeaders; body?: string }>;

/** A server with these answers, and what it was asked for beside the fixed paths. */
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
  return { asked: asked.map(({ url }) => url), list, told: list.map(tell) };
}

function tell({ url, response }: PageScript): readonly [string, string] {
  const { pathname, search } = new URL(url);
  return [pathname + search, response.assessed ? response.value.body : `not assessed: ${response.reason}`];
}

it('fetches what runs, from the page’s own site, each once and in its order', async () => {
  const { asked, told } = await scriptsOf({
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
  expect(told).toEqual([
    ['/assets/b.js?v=1', 'b()'],
    ['/a.js', 'a()'],
    ['/assets/c.js', 'c()'],
  ]);
});

it('keeps nothing of error pages, and judges no script by an answer that may be for the scan only', async () => {
  const html = { 'content-type': 'text/html' };
  const names = ['one-page', 'called', 'challenge', 'sniffed', 'gone', 'denied', 'real'];
  const body = `<!doctype html>${names.map(name => `<script src=${name}.js></script>`).join('')}`;
  const { told } = await scriptsOf({
    '/': { body },
    '/one-page.js': { headers: html, body },
    '/called.js': { headers: html, body: 'run()' },
    '/challenge.js': { headers: html, body: '<!doctype html><p>One moment' },
    '/sniffed.js': { body: '\n<!DOCTYPE html><title>Portal</title>' },
    '/denied.js': { status: 403, body: 'Are you a robot?' },
    '/real.js': { body: 'const html = "<!doctype html>";' },
  });
  expect(told).toEqual([
    ['/one-page.js', ''],
    ['/called.js', 'run()'],
    ['/challenge.js', 'not assessed: A script is answered by another page.'],
    ['/sniffed.js', 'not assessed: A script is answered by another page.'],
    ['/gone.js', ''],
    ['/denied.js', 'not assessed: A script answers the scan with status 403.'],
    ['/real.js', 'const html = "<!doctype html>";'],
  ]);
});

it('judges no script by data, by words or by where it is redirected to', async () => {
  const body = ['words', 'data', 'moved', 'gone'].map(name => `<script src=${name}.js></script>`).join('');
  const { told } = await scriptsOf({
    '/': { body: `<!doctype html>${body}` },
    '/words.js': { headers: { 'content-type': 'text/html' }, body: 'Access denied' },
    '/data.js': { headers: { 'content-type': 'application/json' }, body: '{"error":"blocked"}' },
    '/moved.js': { status: 302, headers: { location: '/' } },
    '/gone.js': { status: 302, headers: { location: '/nowhere' } },
  });
  expect(told).toEqual([
    ['/words.js', 'not assessed: A script is answered by text without code.'],
    ['/data.js', 'not assessed: A script is answered as application/json.'],
    ['/moved.js', 'not assessed: A script is redirected to what is no script.'],
    ['/gone.js', 'not assessed: A script is redirected to what is no script.'],
  ]);
});

it('judges no script by a tag, a challenge, a message or data, whatever they are called', async () => {
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
  const { told } = await scriptsOf({ '/': { body: `<!doctype html>${body}` }, ...files });
  expect(told).toEqual([
    ['/tag.js', 'not assessed: A script is answered by another page.'],
    ['/comment.js', 'not assessed: A script is answered by another page.'],
    ['/challenge.js', 'not assessed: A bot protection service answers in place of a script.'],
    ['/message.js', 'not assessed: A script is answered by text without code.'],
    ['/data.js', 'not assessed: A script is answered by data.'],
    ['/remarks.js', '/* nothing yet */'],
    ['/strict.js', '<!-- old\n"use strict";a()'],
  ]);
});

it('reads the modules that a script imports from the site, each once, and none of others', async () => {
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

it('reads scripts that a cache delays, and none that wait for consent', async () => {
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

it('keeps to the limits of one script, of all of them, and of their number', async () => {
  const large = { body: 'x'.repeat(2 * 1024 * 1024 + 10) };
  const names = Array.from({ length: 10 }, (_, index) => `/${index}.js`);
  const tags = (list: readonly string[]) => list.map(name => `<script src="${name}"></script>`).join('');
  const many = await scriptsOf({
    '/': { body: tags(names) },
    ...Object.fromEntries(names.map(name => [name, { body: 'x' }])),
  });
  expect(many.asked).toEqual(names.slice(0, 8));
  expect(many.list.map(({ response }) => response.assessed)).toEqual(names.map((_, index) => index < 8));
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
    'The scripts of the page are larger together than the scan reads.',
  ]);
});

it('follows a redirect within the site, and none away from it', async () => {
  const { told } = await scriptsOf({
    '/': {
      body: '<script src=/old.js></script><script src=/away.js></script><script src=/loop.js></script>',
    },
    '/old.js': { status: 302, headers: { location: '/new.js' } },
    '/new.js': { body: 'moved()' },
    '/away.js': { status: 302, headers: { location: 'https://other.example/x.js' } },
    '/loop.js': { status: 302, headers: { location: '/loop.js' } },
  });
  expect(told).toEqual([
    ['/old.js', 'moved()'],
    ['/away.js', 'not assessed: The script is redirected to another site.'],
    ['/loop.js', 'not assessed: The redirects of a script lead nowhere.'],
  ]);
});

it('asks for nothing more when the site says that it is too much', async () => {
  const { asked, told } = await scriptsOf({
    '/': { body: '<script src=/a.js></script><script src=/b.js></script>' },
    '/a.js': { status: 429 },
  });
  expect(asked).toEqual(['/a.js']);
  expect(told[1]).toEqual(['/b.js', 'not assessed: The site asked for fewer requests.']);
});

it('sends the credential to the source’s own origin only, and checks every address', async () => {
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
  expect(scripts.assessed && scripts.value.map(tell)).toEqual([
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

it('fetches what is preloaded, however many relations its link has', async () => {
  const body = `<!doctype html><link rel="${'a '.repeat(30)}modulepreload" href="/module.js">`;
  const { asked } = await scriptsOf({ '/': { body }, '/module.js': { body: 'a()' } });
  expect(asked).toEqual(['/module.js']);
});

it.each([
  '<script type="importmap">{"imports":{"app":"/js/app.js"}}</script><script type="module">import "app"</script>',
  '<script data-main="/js/main" src="/require.js"></script>',
])('says that it does not follow scripts that are loaded by names: %s', async body => {
  const { told } = await scriptsOf({
    '/': { body: `<!doctype html>${body}` },
    '/require.js': { body: 'a()' },
  });
  expect(told.at(-1)).toEqual([
    '/',
    'not assessed: The page has scripts loaded by names, which the scan does not resolve.',
  ]);
});
