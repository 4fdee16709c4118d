import type { WebProduct } from './site.ts';
import { placed, serveSite } from './site-folder.ts';

/** Defaults of older versions, so that TLS is weak unless the code fixes it. */
const weakDefaults = ['--tls-min-v1.0', '--tls-cipher-list=DEFAULT@SECLEVEL=0'];

/** Node.js without a framework. */
export const node: WebProduct = {
  name: 'Node.js',
  program: process.execPath,
  version: () => Promise.resolve(process.versions.node),
  start: site =>
    serveSite(site, async folder => {
      const { root, certificate, key, ports, here } = folder;
      const own = site.configuration['node.file'];
      const plain = `require('node:http').createServer(app).listen(${ports.http}, '127.0.0.1');`;
      const secure = `require('node:https').createServer(
  { cert: readFileSync(${JSON.stringify(certificate)}), key: readFileSync(${JSON.stringify(key)}) },
  app,
).listen(${ports.https}, '127.0.0.1');`;
      const file = await placed(
        folder,
        'server.cjs',
        `const page = require('node:fs').readFileSync(${JSON.stringify(`${root}/index.html`)});
function app(req, res) {
  if (req.url !== '/') return res.writeHead(404).end('Not found');
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.end(page);
}
${own?.includes('listen(80') ? '' : plain}
${own === undefined && !site.isPlain ? `{ const { readFileSync } = require('node:fs');\n${secure} }` : ''}
${own === undefined ? '' : here(own)}
`,
      );
      return [process.execPath, ...weakDefaults, file];
    }),
};
