import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { nginxTemporary } from '../../support/website.ts';
import type { WebProduct } from './site.ts';
import { placed, serveSite } from './site-folder.ts';

const program = '/usr/sbin/nginx';

export const nginx: WebProduct = {
  name: 'nginx',
  program,
  version: async () =>
    /nginx\/(\S+)/.exec((await promisify(execFile)(program, ['-v'])).stderr)?.[1] ?? 'unknown',
  sending: headers => ({
    'nginx.server': Object.entries(headers)
      .map(([name, value]) => `add_header ${name} "${value}" always;`)
      .join('\n'),
  }),
  start: site =>
    serveSite(site, async folder => {
      const { configuration } = site;
      const { path, root, certificate, key, ports, here } = folder;
      const own = configuration['nginx.http'] ?? '';
      const server = configuration['nginx.server'] ?? '';
      const secure = `server {
  listen 127.0.0.1:${ports.https} ssl;
  ${server.includes('ssl_certificate ') ? '' : `ssl_certificate ${certificate}; ssl_certificate_key ${key};`}
  root ${root};
${here(server)}
}`;
      const file = await placed(
        folder,
        'nginx.conf',
        `daemon off; master_process off; worker_processes 1; pid ${path}/nginx.pid; error_log stderr;
events { worker_connections 64; }
http {
  access_log off; ${nginxTemporary(path)}
  types { text/html html; application/javascript js; application/json json map; }
${here(own)}
${own.includes('listen 80;') ? '' : here('server { listen 80; root /var/www/html; }')}
${site.isPlain ? '' : secure}
}
`,
      );
      return [program, '-p', path, '-e', 'stderr', '-c', file];
    }),
};
