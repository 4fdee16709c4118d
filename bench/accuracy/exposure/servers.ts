import { join } from 'node:path';
import type { TestServer } from '../../../test/support/website.ts';
import { type Program, startProgram } from '../program.ts';
import { folderWith } from '../specialists/install.ts';

type Files = Readonly<Record<string, string | Buffer>>;

/** Starts a server with files by path below its document root, `www` in its folder. */
export type Server = (files: Files) => Promise<TestServer>;

/** A server whose command and configuration follow from its port and folder. */
const program =
  (describe: (port: number, folder: string) => Omit<Program, 'files'> & { readonly files?: Files }): Server =>
  files =>
    startProgram((port, folder) => {
      const { files: own, ...rest } = describe(port, folder);
      const inRoot = Object.entries(files).map(([path, content]) => [
        `www${decodeURI(path).replaceAll('%23', '#')}`,
        content,
      ]);
      return { ...rest, files: { ...own, ...Object.fromEntries(inRoot) } };
    });

const nginx = (server: string): Server =>
  program((port, folder) => ({
    command: '/usr/sbin/nginx',
    parameters: ['-p', folder, '-c', `${folder}/nginx.conf`],
    files: {
      'nginx.conf': `daemon off; user root; pid ${folder}/pid; error_log ${folder}/error.log; events {}
http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(kind => `${kind}_temp_path ${folder}/t;`).join(' ')}
include /etc/nginx/mime.types; server { listen 127.0.0.1:${port}; root ${folder}/www; ${server} } }`,
    },
  }));

const apache = (more = ''): Server =>
  program((port, folder) => ({
    command: '/usr/sbin/apache2',
    parameters: ['-d', folder, '-f', `${folder}/apache2.conf`, '-DFOREGROUND'],
    files: {
      'mime.types': 'text/html html\ntext/plain txt\n',
      'apache2.conf': `ServerName portal.clinic.com
Listen 127.0.0.1:${port}
PidFile ${folder}/pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/apache.log
User www-data
Group www-data
${['mpm_event', 'authz_core', 'dir', 'mime', 'autoindex', 'alias'].map(name => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
TypesConfig ${folder}/mime.types
DocumentRoot ${folder}/www
<Directory ${folder}/www>
Require all granted
DirectoryIndex index.html
</Directory>
<FilesMatch "^\\.ht">
Require all denied
</FilesMatch>
${more}
`,
    },
  }));

const caddy = (directives: string): Server =>
  program((port, folder) => ({
    command: 'caddy',
    parameters: ['run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile'],
    files: {
      Caddyfile: `{\n\tadmin off\n\tauto_https off\n}\nhttp://:${port} {\n\tbind 127.0.0.1\n\troot * ${folder}/www\n\t${directives}\n}\n`,
    },
  }));

const lighttpd = (more = ''): Server =>
  program((port, folder) => ({
    command: 'lighttpd',
    parameters: ['-D', '-f', 'lighttpd.conf'],
    files: {
      'lighttpd.conf': `server.document-root = "${folder}/www"\nserver.port = ${port}\nserver.bind = "127.0.0.1"\nindex-file.names = ( "index.html" )\nmimetype.assign = ( ".html" => "text/html", ".json" => "application/json", ".txt" => "text/plain" )\n${more}`,
    },
  }));

/** A server from npm. @param options with `PORT` where its port belongs */
const fromNpm =
  (specifiers: string | readonly string[], main: string, options: readonly string[]): Server =>
  async files => {
    const tools = await folderWith([specifiers].flat());
    return program((port, folder) => ({
      command: process.execPath,
      parameters: [
        join(tools, 'node_modules', main),
        ...options.map(option => option.replace('PORT', String(port)).replace('ROOT', `${folder}/www`)),
      ],
    }))(files);
  };

const node = (script: string): Server =>
  program((port, folder) => ({
    command: process.execPath,
    parameters: [
      '--input-type=module',
      '-e',
      script.replaceAll('PORT', String(port)).replaceAll('ROOT', `${folder}/www`),
    ],
  }));

const express = new URL('../../../node_modules/express/index.js', import.meta.url).href;

/** Servers as people run them, by name. */
export const servers = {
  nginx: nginx(''),
  'nginx with listings': nginx('autoindex on;'),
  'nginx, one page for every path': nginx('try_files $uri /index.html;'),
  'nginx, one page for every path and no files': nginx('location / { rewrite ^ /index.html break; }'),
  'nginx, a page for what is missing': nginx('error_page 404 =200 /missing.html;'),
  'nginx, refusals of hidden files': nginx('location ~ /\\. { deny all; }'),
  'nginx, Basic authentication': nginx('auth_basic "Portal"; auth_basic_user_file /dev/null;'),
  Apache: apache(),
  'Apache with listings': apache('<Directory ~ ".*">\nOptions +Indexes\n</Directory>'),
  Caddy: caddy('file_server'),
  'Caddy, one page for every path': caddy('try_files {path} /index.html\n\tfile_server'),
  'Caddy, a login for every path': caddy(
    '@other not path /login\n\tredir @other /login 302\n\trewrite /login /index.html\n\tfile_server',
  ),
  lighttpd: lighttpd(),
  PHP: program(port => ({ command: 'php', parameters: ['-S', `127.0.0.1:${port}`, '-t', 'www'] })),
  Python: program(port => ({
    command: 'python3',
    parameters: ['-m', 'http.server', String(port), '--bind', '127.0.0.1', '--directory', 'www'],
  })),
  Go: program(port => ({
    command: 'go',
    parameters: ['run', 'main.go'],
    files: {
      'main.go': `package main\nimport "net/http"\nfunc main() { http.ListenAndServe("127.0.0.1:${port}", http.FileServer(http.Dir("www"))) }\n`,
    },
  })),
  serve: fromNpm('serve@14.2.4', 'serve/build/main.js', ['-l', 'tcp://127.0.0.1:PORT', '-L', 'ROOT']),
  'http-server': fromNpm('http-server@14.1.1', 'http-server/bin/http-server', [
    'ROOT',
    '-p',
    'PORT',
    '-a',
    '127.0.0.1',
    '-s',
    '-d',
    'false',
  ]),
  sirv: fromNpm('sirv-cli@3.0.1', 'sirv-cli/bin.js', [
    'ROOT',
    '--port',
    'PORT',
    '--host',
    '127.0.0.1',
    '--dotfiles',
    '--quiet',
  ]),
  'serve with listings': fromNpm('serve@14.2.4', 'serve/build/main.js', [
    '-l',
    'tcp://127.0.0.1:PORT',
    '-L',
    'ROOT',
  ]),
  'http-server with listings': fromNpm('http-server@14.1.1', 'http-server/bin/http-server', [
    'ROOT',
    '-p',
    'PORT',
    '-a',
    '127.0.0.1',
    '-s',
  ]),
  'live-server with listings': fromNpm('live-server@1.2.2', 'live-server/live-server.js', [
    'ROOT',
    '--port=PORT',
    '--host=127.0.0.1',
    '--no-browser',
    '--quiet',
  ]),
  Vite: fromNpm('vite@8.4.0', 'vite/bin/vite.js', [
    'ROOT',
    '--host',
    '127.0.0.1',
    '--port',
    'PORT',
    '--strictPort',
  ]),
  'webpack-dev-server': fromNpm(
    ['webpack@5.101.0', 'webpack-cli@6.0.1', 'webpack-dev-server@5.2.2'],
    'webpack/bin/webpack.js',
    [
      'serve',
      '--mode',
      'development',
      '--entry',
      './www/main.js',
      '--static',
      'ROOT',
      '--allowed-hosts',
      'all',
      '--host',
      '127.0.0.1',
      '--port',
      'PORT',
    ],
  ),
  Parcel: fromNpm('parcel@2.16.4', 'parcel/lib/bin.js', [
    'serve',
    'www/index.html',
    '--host',
    '127.0.0.1',
    '--port',
    'PORT',
    '--no-cache',
  ]),
  'Caddy with listings': caddy('file_server browse'),
  'lighttpd with listings': lighttpd(
    'server.modules += ( "mod_dirlisting" )\ndir-listing.activate = "enable"\n',
  ),
  'Express with hidden files': node(
    `import express from '${express}'; const app = express(); app.use(express.static('ROOT', { dotfiles: 'allow' })); app.listen(PORT, '127.0.0.1');`,
  ),
} satisfies Readonly<Record<string, Server>>;
