import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { siteName, type WebProduct } from './site.ts';
import { placed, serveSite } from './site-folder.ts';

const program = '/usr/bin/caddy';

export const caddy: WebProduct = {
  name: 'Caddy',
  program,
  version: async () =>
    (await promisify(execFile)(program, ['version'])).stdout.trim().split(/[\sv]+/)[0] || 'unknown',
  start: site =>
    serveSite(site, async folder => {
      const own = site.configuration['caddy.site'] ?? '';
      const { root, certificate, key, ports, here } = folder;
      const file = await placed(
        folder,
        'Caddyfile',
        `{
  admin off
  http_port ${ports.http}
  https_port ${ports.https}
  auto_https disable_redirects
}
${here(site.configuration['caddy.file'])}
https://${siteName}:${ports.https} {
  tls ${certificate} ${key}
  root * ${root}
${here(own)}
${own.includes('file_server') ? '' : 'file_server'}
}
http://${siteName}:${ports.http} {
  root * ${root}
  file_server
}
`,
      );
      return [program, 'run', '--adapter', 'caddyfile', '--config', file];
    }),
};
