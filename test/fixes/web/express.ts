import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { WebProduct } from './site.ts';
import { placed, serveSite } from './site-folder.ts';

const { resolve } = createRequire(import.meta.url);

export const express: WebProduct = {
  name: 'Express',
  program: process.execPath,
  version: async () => JSON.parse(await readFile(resolve('express/package.json'), 'utf8')).version,
  sending: headers => ({
    'express.app': `app.use((req, res, next) => { res.set(${JSON.stringify(headers)}); next(); });`,
  }),
  start: site =>
    serveSite(site, async folder => {
      const { configuration } = site;
      const { root, certificate, key, ports, here } = folder;
      const file = await placed(
        folder,
        'server.cjs',
        `const { readFileSync } = require('node:fs');
const http = require('node:http');
const https = require('node:https');
const express = require('express');
const app = express();
${here(configuration['express.app'])}
app.use((req, res, next) => { if (req.session) req.session.visited = true; next(); });
app.use(express.static(${JSON.stringify(root)}));
const tls = { cert: readFileSync(${JSON.stringify(certificate)}), key: readFileSync(${JSON.stringify(key)}) };
http.createServer(app).listen(${ports.http}, '127.0.0.1');
https.createServer(tls, app).listen(${ports.https}, '127.0.0.1');
`,
      );
      return [process.execPath, file];
    }),
};
