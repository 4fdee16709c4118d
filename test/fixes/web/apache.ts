import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { siteName, type WebProduct } from './site.ts';
import { placed, serveSite } from './site-folder.ts';

const program = '/usr/sbin/apache2';

/** Modules that Debian enables, and those that the fixes require. */
const names = [
  ...['mpm_event', 'authz_core', 'authz_host', 'alias', 'autoindex', 'dir', 'mime', 'setenvif', 'status'],
  ...['headers', 'rewrite', 'socache_shmcb', 'ssl', 'dav', 'dav_fs', 'env', 'proxy', 'proxy_http'],
];

export const loadModules = names
  .map(name => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  .join('\n');

export const apache: WebProduct = {
  name: 'Apache',
  program,
  version: async () =>
    /Apache\/(\S+)/.exec((await promisify(execFile)(program, ['-v'])).stdout)?.[1] ?? 'unknown',
  sending: headers => ({
    'apache.host': Object.entries(headers)
      .map(([name, value]) => `Header always set ${name} "${value}"`)
      .join('\n'),
  }),
  start: site =>
    serveSite(site, async folder => {
      const { configuration } = site;
      const { path, root, certificate, key, ports, here } = folder;
      const host = configuration['apache.host'] ?? '';
      const secure = `<VirtualHost 127.0.0.1:${ports.https}>
SSLEngine on
${host.includes('SSLCertificateFile') ? '' : `SSLCertificateFile ${certificate}\nSSLCertificateKeyFile ${key}`}
${here(host)}
</VirtualHost>`;
      const file = await placed(
        folder,
        'apache2.conf',
        `${loadModules}
ServerRoot ${path}
DefaultRuntimeDir ${path}
PidFile ${path}/apache.pid
ErrorLog ${path}/error.log
DavLockDB ${path}/dav.lock
User www-data
Group www-data
StartServers 1
MinSpareThreads 1
ThreadsPerChild 16
MaxRequestWorkers 16
ServerName ${siteName}
Listen 127.0.0.1:${ports.https}
Listen 127.0.0.1:${ports.http}
TypesConfig /etc/mime.types
DocumentRoot ${root}
<Directory ${root}>
  Require all granted
</Directory>
${here(configuration['apache.server'])}
${site.isPlain ? '' : secure}
`,
      );
      return [program, '-D', 'FOREGROUND', '-f', file];
    }),
};
