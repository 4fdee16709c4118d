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
  sending: headers => ({
    'caddy.site': Object.entries(headers)
      .map(([name, value]) => `header ${name} "${value}"`)
      .join('\n'),
  }),
  start: site =>
    serveSite(site, async folder => {
      const { 'caddy.file': file = '', 'caddy.site': own = '' } = site.configuration;
      const { root, certificate, key, ports, here } = folder;
      const secure = `https://${siteName} {
  ${/^tls /m.test(own) ? '' : `tls ${certificate} ${key}`}
  root * ${root}
${here(own)}
${/file_server|reverse_proxy/.test(own) ? '' : 'file_server'}
}`;
      const plain = `http://${siteName} {
  root * ${root}
  file_server
}`;
      const path = await placed(
        folder,
        'Caddyfile',
        `{
  admin off
  http_port ${ports.http}
  https_port ${ports.https}
  auto_https disable_redirects
}
${here(file)}
${site.isPlain ? '' : secure}
${file.includes('http://example.com') ? '' : plain}
`,
      );
      return [program, 'run', '--adapter', 'caddyfile', '--config', path];
    }),
};
