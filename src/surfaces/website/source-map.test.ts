import { expect, it } from 'vitest';
import { collect, type Handler, running } from '../../../test/support/collecting.ts';
import { httpServer } from '../../../test/support/website.ts';
import type { HttpResponse } from '../../captures/website.ts';
import { inlineMap, originalsOf, sourceMapReference } from './source-map.ts';

const script = (body: string, headers: HttpResponse['headers'] = []): HttpResponse => ({
  method: 'GET',
  url: 'https://site.example/app.js',
  status: 200,
  headers,
  body,
  body_truncated: false,
  body_unread: null,
});

it.each<[string, HttpResponse, string | null]>([
  ['a comment', script('a()\n//# sourceMappingURL=app.js.map\n'), 'app.js.map'],
  ['an older comment', script('a()\n//@ sourceMappingURL=app.js.map'), 'app.js.map'],
  ['a style sheet', script('a{}/*# sourceMappingURL=app.css.map */'), 'app.css.map'],
  ['the last of several', script('x="//# sourceMappingURL=no"\n//# sourceMappingURL=yes'), 'yes'],
  ['a header', script('a()', [['sourcemap', '/maps/1']]), '/maps/1'],
  ['the older header', script('a()', [['x-sourcemap', '/maps/2']]), '/maps/2'],
  ['nothing', script('a()'), null],
])('finds the source map that %s names', (_, response, expected) => {
  expect(sourceMapReference(response)).toBe(expected);
});

const map = { version: 3, sources: ['src/a.ts', 'src/b.ts'], sourcesContent: ['let a', null], mappings: '' };

it('reads the files of a map, of its sections, and of one in the script', () => {
  const files = [{ name: 'src/a.ts', text: 'let a' }];
  const complete = { files, isComplete: true };
  expect(originalsOf(JSON.stringify(map))).toEqual(complete);
  expect(originalsOf(`)]}'\n${JSON.stringify(map)}`)).toEqual(complete);
  expect(originalsOf(JSON.stringify({ version: 3, sections: [{ map }, { map }] }))).toEqual({
    files: [...files, ...files],
    isComplete: true,
  });
  const text = JSON.stringify(map);
  expect(inlineMap(`data:application/json;charset=utf-8;base64,${btoa(text)}`)).toBe(text);
  expect(inlineMap(`data:application/json,${encodeURIComponent(text)}`)).toBe(text);
  for (const none of ['data:text/plain,x', 'data:application/json,%E0%A4%A', 'app.js.map'])
    expect(inlineMap(none)).toBeNull();
  for (const none of ['', '{}', 'null', '[]', '{"version":3,"sections":[null]}', '<!doctype html>'])
    expect(originalsOf(none)?.files ?? []).toEqual([]);
});

it.each([
  ['empty objects', `{"version":3,"sources":[${'{},'.repeat(500_000)}{}]}`, 0],
  [
    'files',
    JSON.stringify({ version: 3, sources: Array(6_000).fill('a'), sourcesContent: Array(6_000).fill('b') }),
    5_000,
  ],
])('leaves out the rest of a map of too many %s, and says so', (_, text, kept) => {
  const read = originalsOf(text);
  expect(read?.isComplete).toBe(false);
  expect(read?.files).toHaveLength(kept);
});

it.each(['safe', 'full'] as const)('reads maps and style sheets at the depth %s', async depth => {
  const inline = `//# sourceMappingURL=data:application/json;base64,${btoa(JSON.stringify(map))}`;
  const answers: Record<string, string> = {
    '/': '<!doctype html><link rel=stylesheet href=/a.css><script src=/a.js></script><script src=/b.js></script>',
    '/a.css': 'a{}/*# sourceMappingURL=a.css.map */',
    '/a.css.map': JSON.stringify({ ...map, sources: ['a.scss'], sourcesContent: ['$a: 1'] }),
    '/a.js': 'a()\n//# sourceMappingURL=a.js.map',
    '/a.js.map': JSON.stringify({ ...map, sources: ['a.ts'], sourcesContent: ['let external'] }),
    '/b.js': `b()\n${inline}`,
  };
  const handler: Handler = (request, response) => {
    const body = answers[request.url!];
    const type = /\.js$/.test(request.url!)
      ? 'text/javascript'
      : /map$/.test(request.url!)
        ? 'application/json'
        : 'text/html';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  };
  const { port } = await running(httpServer(handler));
  const { texts } = await collect(`http://127.0.0.1:${port}/`, {
    depth,
    parts: new Set(['scripts', 'texts']),
  });
  const read = (texts.assessed ? texts.value : []).map(({ url, name, text }) => [
    new URL(url).pathname,
    name,
    text.assessed ? text.value : text.reason,
  ]);
  const ofInline = ['/b.js', 'src/a.ts', 'let a'];
  expect(read).toEqual(
    depth === 'safe'
      ? [ofInline]
      : [
          ['/a.js.map', 'a.ts', 'let external'],
          ofInline,
          ['/a.css', null, answers['/a.css']],
          ['/a.css.map', 'a.scss', '$a: 1'],
        ],
  );
});
