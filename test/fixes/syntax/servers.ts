import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nginxTemporary } from '../../support/website.ts';
import { loadModules } from '../web/apache.ts';
import { type Addresses, asHere, writeCertificates } from '../web/site-files.ts';
import { checkedFile, checkedTogether, type Parser, versionOf } from './parser.ts';
import { zoneWith } from './zone.ts';

/** Creates the files that configurations name, because servers read them. */
async function prepared(folder: string): Promise<(code: string) => string> {
  await mkdir(join(folder, 'html'), { recursive: true });
  await writeCertificates(folder);
  const addresses: Addresses = { path: folder, ports: { https: 8443, http: 8080, front: 8443 } };
  return code => asHere(code, addresses);
}

const nginx: Parser = {
  name: 'nginx',
  program: '/usr/sbin/nginx',
  version: () => versionOf('/usr/sbin/nginx', ['-v']),
  refusals: async (snippets, folder) => {
    const here = await prepared(folder);
    const server = (index: number, code: string) =>
      `server { listen 127.0.0.1:${10_000 + index};\n${code}\n}`;
    return checkedTogether(
      snippets,
      some => `pid ${folder}/nginx.pid; error_log stderr; events {}
http { access_log off; ${nginxTemporary(folder)}
${some
  .map(({ place, code, index }) => {
    return place === 'nginx.http' ? here(code) : server(index, here(code));
  })
  .join('\n')}
}`,
      (text, name) =>
        checkedFile(folder, `${name}.conf`, text, '/usr/sbin/nginx', [
          '-t',
          '-q',
          '-p',
          folder,
          '-c',
          'FILE',
        ]),
    );
  },
};

const apache: Parser = {
  name: 'Apache',
  program: '/usr/sbin/apache2',
  version: () => versionOf('/usr/sbin/apache2', ['-v']),
  refusals: async (snippets, folder) => {
    const here = await prepared(folder);
    return checkedTogether(
      snippets,
      some => `${loadModules}
ServerRoot ${folder}
DefaultRuntimeDir ${folder}
ServerName localhost
ErrorLog ${folder}/error.log
DocumentRoot ${folder}/html
${some
  .map(({ place, code, index }) =>
    place === 'apache.server'
      ? here(code)
      : `<VirtualHost *:${10_000 + index}>\n${here(code)}\n</VirtualHost>`,
  )
  .join('\n')}
`,
      (text, name) => checkedFile(folder, `${name}.conf`, text, '/usr/sbin/apache2', ['-t', '-f', 'FILE']),
    );
  },
};

const caddy: Parser = {
  name: 'Caddy',
  program: '/usr/bin/caddy',
  version: () => versionOf('/usr/bin/caddy', ['version']),
  refusals: async (snippets, folder) => {
    const here = await prepared(folder);
    return checkedTogether(
      snippets,
      some =>
        some
          .map(({ place, code, index }) => {
            const name = `site${index}.example.net`;
            return place === 'caddy.file'
              ? here(code.replaceAll(/^(http:\/\/)?example\.com(?= \{)/gm, `$1${name}`))
              : `${name} {\n${here(code)}\n}`;
          })
          .join('\n'),
      (text, name) =>
        checkedFile(folder, `${name}.caddyfile`, text, '/usr/bin/caddy', [
          ...['adapt', '--validate', '--adapter', 'caddyfile', '--config', 'FILE'],
        ]),
    );
  },
};

const lighttpd: Parser = {
  name: 'lighttpd',
  program: '/usr/sbin/lighttpd',
  version: () => versionOf('/usr/sbin/lighttpd', ['-v']),
  refusals: async (snippets, folder) => {
    const here = await prepared(folder);
    return Promise.all(
      snippets.map(({ code }, index) =>
        checkedFile(
          folder,
          `${index}.conf`,
          `server.document-root = "${folder}/html"\n${here(code)}\n`,
          '/usr/sbin/lighttpd',
          ['-tt', '-f', 'FILE'],
        ),
      ),
    );
  },
};

const haproxy: Parser = {
  name: 'HAProxy',
  program: '/usr/sbin/haproxy',
  version: () => versionOf('/usr/sbin/haproxy', ['-v']),
  refusals: (snippets, folder) =>
    Promise.all(
      snippets.map(({ place, code }, index) =>
        checkedFile(
          folder,
          `${index}.cfg`,
          `global
${place === 'haproxy.global' ? code : ''}
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend web
  bind 127.0.0.1:8080
${place === 'haproxy.frontend' ? code : ''}
  default_backend app
backend app
  server app 127.0.0.1:3000
`,
          '/usr/sbin/haproxy',
          ['-c', '-f', 'FILE'],
        ),
      ),
    ),
};

const zone: Parser = {
  name: 'named-checkzone',
  program: '/usr/bin/named-checkzone',
  version: () => versionOf('/usr/bin/named-checkzone', ['-v']),
  refusals: (snippets, folder) =>
    Promise.all(
      snippets.map(({ code }, index) =>
        checkedFile(folder, `${index}.zone`, zoneWith(code), '/usr/bin/named-checkzone', [
          ...['example.com', 'FILE'],
        ]),
      ),
    ),
};

const bind: Parser = {
  name: 'named-checkconf',
  program: '/usr/bin/named-checkconf',
  version: () => versionOf('/usr/bin/named-checkconf', ['-v']),
  refusals: (snippets, folder) =>
    Promise.all(
      snippets.map(({ code }, index) =>
        checkedFile(folder, `${index}.conf`, code, '/usr/bin/named-checkconf', ['FILE']),
      ),
    ),
};

export const servers: readonly Parser[] = [nginx, apache, caddy, lighttpd, haproxy, zone, bind];
