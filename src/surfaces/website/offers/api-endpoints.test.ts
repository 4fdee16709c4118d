import { expect, it } from 'vitest';
import { collect, running } from '../../../../test/support/collecting.ts';
import { httpServer } from '../../../../test/support/website.ts';
import { home, response, seen } from '../../../detectors/website/hardened-capture.ts';
import { namedEndpoints } from '../graphql.ts';
import { pathsOfPage } from '../paths-of-page.ts';
import { reachOf } from '../reach.ts';
import { apiEndpoints } from './api-endpoints.ts';

const pageWith = (body: string) => response(home, { headers: [['content-type', 'text/html']], body });
const scriptWith = (body: string) => [
  { url: `${home}a.js`, response: seen(response(`${home}a.js`, { body })) },
];
const { origin } = new URL(home);
const paths = (urls: readonly URL[]) => urls.map(({ pathname }) => pathname);

const text = 'fetch(`/data/1`), "/api/patients", "/v2/graphql"';

it('reads endpoints of scripts, not of the text around them', () => {
  const shown = `<div class=comment>${text}</div><script type="text/plain">${text}</script><!-- ${text} -->
    <script src="/b.js">${text}</script><noscript>${text}</noscript><template>${text}</template><img alt='${text}'>`;
  expect(apiEndpoints(pageWith(shown), [])).toEqual([]);
  expect(namedEndpoints(pageWith(shown), [], origin)).toEqual([]);
  for (const [page, scripts] of [
    [`<p>a<script>${text}</script>`, []],
    ['<p>a', scriptWith(text)],
  ] as const) {
    expect(paths(apiEndpoints(pageWith(page), scripts))).toEqual(['/data/1', '/api/patients', '/v2/graphql']);
    expect(namedEndpoints(pageWith(page), scripts, origin)).toEqual(['/v2/graphql']);
  }
});

it('leaves out endpoints whose words suggest an action', () => {
  const acting = `fetch("/posts/%64elete/5"); fetch("/posts/%2564elete/5"); "/api/deleteaccount"; "/api/transfer";
    "/account/delete/graphql"; "/deleteall/gql"; "/api/konto/loeschen"`;
  expect(apiEndpoints(pageWith(''), scriptWith(acting))).toEqual([]);
  expect(namedEndpoints(pageWith(''), scriptWith(acting), origin)).toEqual([]);
});

it('leaves out folders and maps whose words suggest an action', () => {
  const page = pageWith('<img src="/users/delete/5.png"><img src="/images/5.png">');
  const scripts = ['/users/delete?id=5', '/users/delete/5', '/js/delete-button.js.map'].flatMap(
    (map, index) => {
      const url = `${home}${index}.js`;
      return [{ url, response: seen(response(url, { body: `a\n//# sourceMappingURL=${map}` })) }];
    },
  );
  expect(pathsOfPage(page, scripts, origin, reachOf('portal.example.com', 'full')).paths).toEqual([
    { path: '/images/', kind: 'directory' },
    { path: '/js/delete-button.js.map', kind: 'source_map' },
  ]);
});

it('reads no source map whose words suggest an action', async () => {
  const asked: string[] = [];
  const { port } = await running(
    httpServer((request, answer) => {
      asked.push(request.url!);
      const bodies: Record<string, string> = {
        '/': '<!doctype html><title>Blog</title><script src="/a.js"></script><script src="/b.js"></script>',
        '/a.js': 'let a;\n//# sourceMappingURL=/users/delete?id=5',
        '/b.js': 'let b;\n//# sourceMappingURL=/delete-button.js.map',
      };
      const body = bodies[request.url!];
      answer.writeHead(body === undefined ? 404 : 200, {
        'content-type': request.url === '/' ? 'text/html' : 'text/javascript',
      });
      answer.end(body);
    }),
  );
  const { texts } = await collect(`http://127.0.0.1:${port}`, { depth: 'full' });
  expect(asked).toContain('/delete-button.js.map');
  expect(asked.filter(path => path.includes('/users/delete'))).toEqual([]);
  expect(texts).toMatchObject({
    value: [{ text: { assessed: false, reason: 'The words of a source map’s URL suggest an action.' } }],
  });
});

it('sends no credential to a path that the text of a page names', async () => {
  const asked: string[] = [];
  const { port } = await running(
    httpServer((request, answer) => {
      if (request.headers['x-key'] === 'secret-value') asked.push(request.url!);
      const page =
        '<!doctype html><title>Blog</title><div>nice! fetch(`/posts/%64elete/5`) fetch(`/posts/5`)</div>';
      answer.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end(page);
    }),
  );
  const credential = { type: 'header', name: 'x-key', value: 'secret-value' } as const;
  await collect(`http://127.0.0.1:${port}`, { credential });
  expect([...new Set(asked)]).toEqual(['/']);
});
