import type { AccuracyCase, Family } from '../case.ts';
import { type Program, startProgram } from '../program.ts';
import { plainServer, websiteCase } from '../website-case.ts';

/** Real servers of Debian's packages, with their own pages. */
const programs: Readonly<
  Record<string, { readonly flaws: readonly string[]; start(port: number, folder: string): Program }>
> = {
  'nginx: its default page and status': {
    flaws: ['exposure.default_page nginx', 'exposure.server_status /nginx_status'],
    start: (port, folder) =>
      nginx(port, folder, 'root /usr/share/nginx/html; location = /nginx_status { stub_status; }'),
  },
  'nginx: a listing': {
    flaws: ['page.directory_listing nginx'],
    start: (port, folder) => nginx(port, folder, `root ${folder}/www; autoindex on;`),
  },
  'nginx: an ordinary page': {
    flaws: [],
    start: (port, folder) =>
      nginx(port, folder, `root ${folder}/site;`, {
        'site/index.html': '<!doctype html><title>Clinic</title><p>Hello',
      }),
  },
  'lighttpd: a listing': {
    flaws: ['page.directory_listing lighttpd'],
    start: (port, folder) => ({
      command: 'lighttpd',
      parameters: ['-D', '-f', 'lighttpd.conf'],
      files: {
        ...files,
        'lighttpd.conf': `server.document-root = "${folder}/www"\nserver.port = ${port}\nserver.bind = "127.0.0.1"\nserver.modules += ( "mod_dirlisting" )\ndir-listing.activate = "enable"\n`,
      },
    }),
  },
  'Caddy: a listing': {
    flaws: ['page.directory_listing Caddy'],
    start: (port, folder) => ({
      command: 'caddy',
      parameters: ['file-server', '--listen', `127.0.0.1:${port}`, '--root', `${folder}/www`, '--browse'],
      files,
    }),
  },
  'Python: a listing': {
    flaws: ['page.directory_listing Python'],
    start: port => ({
      command: 'python3',
      parameters: ['-m', 'http.server', String(port), '--bind', '127.0.0.1', '--directory', 'www'],
      files,
    }),
  },
  'Go: its profiler, variables and a listing': {
    flaws: ['exposure.debugger /debug/pprof/', 'exposure.metrics /debug/vars', 'page.directory_listing Go'],
    start: port => ({
      command: 'go',
      parameters: ['run', 'main.go'],
      files: {
        ...files,
        'main.go': `package main
import ("expvar"; "net/http"; _ "net/http/pprof")
func main() { _ = expvar.NewInt("requests"); http.Handle("/", http.FileServer(http.Dir("www"))); http.ListenAndServe("127.0.0.1:${port}", nil) }
`,
      },
    }),
  },
  HAProxy: {
    flaws: ['exposure.admin_console HAProxy'],
    start: port => ({
      command: 'haproxy',
      parameters: ['-f', 'haproxy.cfg'],
      files: {
        'haproxy.cfg': `defaults\n  mode http\n  timeout client 5s\n  timeout server 5s\n  timeout connect 5s\nfrontend site\n  bind 127.0.0.1:${port}\n  stats enable\n  stats uri /\n`,
      },
    }),
  },
  Prometheus: {
    flaws: [
      ...['exposure.metrics Prometheus', 'exposure.metrics /metrics', 'exposure.debugger /debug/pprof/'],
      'page.directory_listing Go',
    ],
    start: (port, folder) => ({
      command: 'prometheus',
      parameters: [
        '--config.file=prometheus.yml',
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      files: { 'prometheus.yml': 'global: {}\n' },
    }),
  },
};

const files = { 'www/export.csv': 'name\n', 'www/report.pdf': '%PDF-1.4\n', 'www/old/notes.txt': 'Notes\n' };

function nginx(port: number, folder: string, server: string, more: Record<string, string> = {}): Program {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    kind => `${kind}_temp_path ${folder}/t;`,
  );
  return {
    command: '/usr/sbin/nginx',
    parameters: ['-p', folder, '-c', `${folder}/nginx.conf`],
    files: {
      ...files,
      ...more,
      'nginx.conf': `daemon off; user root; pid ${folder}/pid; error_log ${folder}/error.log; events {}
        http { access_log off; ${temporary.join(' ')} include /etc/nginx/mime.types; server { listen 127.0.0.1:${port}; ${server} } }`,
    },
  };
}

const cases: readonly AccuracyCase[] = Object.entries(programs).map(([name, { flaws, start }]) =>
  websiteCase({
    name,
    flaws,
    also: plainServer,
    start: () => startProgram(start),
    host: port => `http://portal.clinic.com:${port}/`,
  }),
);

export const softwareFamily: Family = { name: 'software', cases };
