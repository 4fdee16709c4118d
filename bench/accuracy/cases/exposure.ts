import type { AccuracyCase, Family } from '../case.ts';
import { contents } from '../exposure/contents.ts';
import { type Server, servers } from '../exposure/servers.ts';
import { document, plainServer, websiteCase } from '../website-case.ts';

const page = (head: string, body: string) => document(head, `<h1>Patient portal</h1>${body}`);
const pages = {
  plain: page('', ''),
  images: page('', '<img src="/uploads/ward.png" alt="">'),
  node: page('<script src="/_next/static/chunks/main-5f1c.js"></script>', '<div id="__next"></div>'),
  wordpress: page(
    '<meta name="generator" content="WordPress 6.4.2"><link rel="stylesheet" href="/wp-content/themes/clinic/style.css">',
    '<img src="/wp-content/uploads/2026/ward.png" alt="">',
  ),
  laravel: page(
    '<meta name="csrf-token" content="Zx81">',
    '<script>window.Laravel={"csrfToken":"Zx81"}</script>',
  ),
} as const;

interface Planted {
  readonly on: Server;
  readonly page?: string;
  /** `check path path …` in each line: what any scan finds, and what only a full scan finds. */
  readonly safe?: string;
  readonly full?: string;
  /** Files that the server does not send. */
  readonly kept?: string;
  /** Further findings. */
  readonly flaws?: readonly string[];
  /** Files that expose nothing. */
  readonly files?: Readonly<Record<string, string>>;
}

const linesOf = (text = '') =>
  text
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([check]) => check !== '');
const pathsIn = (text?: string) => linesOf(text).flatMap(([, ...paths]) => paths);
const flawsIn = (text?: string) =>
  linesOf(text).flatMap(([check, ...paths]) => paths.map(path => `exposure.${check} ${path} returns`));

const uploads = {
  '/uploads/scan.pdf': '%PDF-1.4\n',
  '/uploads/list.csv': 'name\n',
  '/uploads/old/a.txt': 'a\n',
};

const planted: Readonly<Record<string, Planted>> = {
  'nginx: environment, repository and dumps': {
    on: servers.nginx,
    safe: `secrets_file /.env /.env.production
      version_control /.git/config
      backup /backup.zip /backup.sql /dump.sql`,
    full: `secrets_file /.env.staging /.env~ /api/.env
      backup /backup.sql.gz /portal.zip /www.zip`,
  },
  'nginx: a Node.js application': {
    on: servers.nginx,
    page: pages.node,
    safe: `secrets_file /.env.local /docker-compose.yml
      development_file /package.json
      log_file /npm-debug.log
      source_copy /app.js.bak`,
    full: `development_file /Dockerfile /yarn.lock /package-lock.json /.github/workflows/deploy.yml
      source_copy /server.js~
      secrets_file /.npmrc /docker-compose.prod.yml`,
  },
  'nginx: refusals of hidden files': {
    on: servers['nginx, refusals of hidden files'],
    kept: 'secrets_file /.env /.git/config',
    safe: 'backup /backup.tar.gz /database.sql',
    full: `secrets_file /server.key /ssl/server.key /terraform.tfstate
      backup /site.tar.gz /html.tar.gz /backup.7z`,
  },
  'Apache: WordPress': {
    on: servers.Apache,
    page: pages.wordpress,
    safe: `secrets_file /wp-config.php.bak /wp-config.php~
      source_copy /.wp-config.php.swp
      log_file /wp-content/debug.log
      version_control /.git/config`,
    full: `secrets_file /wp-config.php.save /wp-config.php.orig /wp-config.php.old /wp-config.php_bak
      backup /db.sql.gz /backups/backup.zip`,
    kept: 'secrets_file /.htpasswd',
  },
  'Apache: listings of uploads': {
    on: servers['Apache with listings'],
    page: pages.images,
    files: uploads,
    flaws: ['page.directory_listing Apache'],
  },
  'Apache: histories': {
    on: servers.Apache,
    safe: 'shell_history /.bash_history',
    full: `shell_history /.zsh_history /.mysql_history /.psql_history /.python_history /.node_repl_history /.sh_history
      secrets_file /.netrc /.pgpass /.my.cnf /.git-credentials`,
  },
  'Caddy: keys': {
    on: servers.Caddy,
    safe: 'secrets_file /.aws/credentials',
    full: `secrets_file /id_rsa /.ssh/id_rsa /.ssh/id_ed25519 /privkey.pem /private.key /.docker/config.json /.kube/config /credentials.json`,
  },
  'Caddy: Subversion, Mercurial and others': {
    on: servers.Caddy,
    safe: 'version_control /.svn/wc.db',
    full: `version_control /.hg/requires /app/.git/config
      development_file /.bzr/branch/branch.conf /CVS/Root`,
  },
  'lighttpd: a PHP application': {
    on: servers.lighttpd,
    page: pages.laravel,
    safe: `secrets_file /.env
      log_file /storage/logs/laravel.log
      development_file /composer.json /composer.lock
      source_copy /index.php~ /index.php.bak /config.php~`,
    full: `source_copy /index.php.old /index.php.save /index.php.orig /.index.php.swp /index.php.swp /%23index.php%23`,
  },
  'PHP: its own server, one page for every path': {
    on: servers.PHP,
    page: pages.wordpress,
    safe: 'secrets_file /wp-config.php.bak',
    full: `development_file /package.json
      backup /portal.sql /backup.tgz`,
  },
  'Python: a Django application': {
    on: servers.Python,
    safe: `secrets_file /.env
      backup /backup.sql`,
    full: `backup /db.sqlite3 /database.sqlite
      secrets_file /settings.py /local_settings.py
      development_file /requirements.txt /Pipfile.lock /poetry.lock
      source_copy /app.py~ /app.py.bak`,
  },
  'Go: a folder with the project': {
    on: servers.Go,
    safe: `secrets_file /.env.bak
      version_control /.git/config`,
    full: `development_file /go.mod /Makefile /main.tf /Jenkinsfile /.circleci/config.yml /Vagrantfile /deploy.sh
      secrets_file /terraform.tfvars /terraform.tfstate.backup`,
  },
  'serve: continuous integration': {
    on: servers.serve,
    page: pages.node,
    safe: `secrets_file /.env
      development_file /package.json`,
    full: `development_file /Dockerfile /.gitlab-ci.yml /.travis.yml /bitbucket-pipelines.yml /azure-pipelines.yml /.github/workflows/main.yml /pnpm-lock.yaml
      secrets_file /docker-compose.override.yml /compose.yaml`,
  },
  'http-server: editors': {
    on: servers['http-server'],
    safe: `secrets_file /.vscode/sftp.json
      ds_store /.DS_Store`,
    full: `development_file /.idea/workspace.xml /.idea/dataSources.xml /.htaccess /nginx.conf /.user.ini
      source_copy /server.js.bak`,
  },
  'sirv: a Java application': {
    on: servers.sirv,
    safe: 'secrets_file /.env',
    full: `secrets_file /application.properties /application.yml /WEB-INF/classes/application.properties
      development_file /WEB-INF/web.xml /pom.xml
      source_copy /index.jsp.bak`,
  },
  'Express: Rails and .NET side by side': {
    on: servers['Express with hidden files'],
    safe: 'secrets_file /.env',
    full: `secrets_file /config/database.yml /config/secrets.yml /config/master.key /appsettings.json /appsettings.Production.json
      development_file /Gemfile /Gemfile.lock /web.config
      secrets_file /web.config.bak
      log_file /log/production.log`,
  },
  'Express: logs': {
    on: servers['Express with hidden files'],
    safe: 'log_file /error.log',
    full: 'log_file /access.log /debug.log /error_log /logs/error.log /logs/access.log /app.log /logs/app.log /server.log',
  },
  'nginx: formats of dumps': {
    on: servers.nginx,
    safe: 'secrets_file /.env',
    full: `backup /backup.dump /db.dump /dump.rdb /backup.tar.bz2 /backup.tar.xz /backup.rar /backup.bak /data.db /db.sql
      secrets_file /.envrc`,
  },
  'nginx: one page for every path, and files': {
    on: servers['nginx, one page for every path'],
    safe: `secrets_file /.env
      version_control /.git/config
      backup /backup.zip`,
    full: `secrets_file /.env.prod /backend/.env
      backup /dump.sql.gz`,
  },
  'Caddy: one page for every path, and files': {
    on: servers['Caddy, one page for every path'],
    page: pages.node,
    safe: 'secrets_file /.env.production',
    full: 'backup /portal.sql',
  },
  'nginx: listings of uploads': {
    on: servers['nginx with listings'],
    page: pages.images,
    files: uploads,
    flaws: ['page.directory_listing nginx'],
  },
  ...Object.fromEntries(
    (
      [
        ['serve', servers['serve with listings'], 'serve'],
        ['http-server', servers['http-server with listings'], 'http-server'],
        ['live-server', servers['live-server with listings'], 'serve-index'],
        ['Caddy', servers['Caddy with listings'], 'Caddy'],
        ['lighttpd', servers['lighttpd with listings'], 'lighttpd'],
        ['Python', servers.Python, 'Python'],
        ['Go', servers.Go, 'Go'],
      ] as const
    ).map(([name, on, shown]) => [
      `${name}: listings of uploads`,
      {
        on,
        page: pages.images,
        files: uploads,
        flaws: [`page.directory_listing ${shown}`, ...(name === 'live-server' ? ['exposure.debugger'] : [])],
      },
    ]),
  ),
  ...Object.fromEntries(
    (['Vite', 'webpack-dev-server', 'Parcel'] as const).map(name => [
      `${name}: its development server`,
      {
        on: servers[name],
        page: page('', '<script type="module" src="./main.js"></script>'),
        files: {
          '/main.js': "document.body.append('Portal');\n",
          // Where servers like these are public, they accept their name.
          '/vite.config.mjs': 'export default { server: { allowedHosts: true } };\n',
        },
        flaws: ['exposure.debugger', ...(name === 'webpack-dev-server' ? [] : ['exposure.source_map'])],
      },
    ]),
  ),
  'nginx: keys and credentials of tools': {
    on: servers.nginx,
    full: `secrets_file /keystore.jks /server.pfx /.s3cfg /.vault-token /auth.json /sitemanager.xml /.ftpconfig /config.json
      version_control /.git/index /.hg/hgrc
      development_file /.gitconfig /.ssh/known_hosts /CVS/Entries
      log_file /logs/catalina.out
      backup /clinic.sql /core`,
  },
  'Apache: copies of the files that a page links to': {
    on: servers.Apache,
    page: page('', '<a href="/login.php">Log in</a> <a href="members/list.php?sort=name">Members</a>'),
    safe: 'source_copy /login.php.bak',
    full: 'source_copy /members/list.php~ /members/list.php.old /members/.list.php.swp',
  },
  'Caddy: usual names of dumps, logs and manifests': {
    on: servers.Caddy,
    full: `backup /website.zip /app.db /db_backup.sql
      log_file /php_error.log
      development_file /Pipfile /Cargo.toml /build.gradle`,
  },
  // Good ones.
  'nothing but a page': { on: servers.nginx },
  'one page for every path': { on: servers['nginx, one page for every path'] },
  'one page for every path, and files that it hides': {
    on: servers['nginx, one page for every path and no files'],
    kept: 'secrets_file /.env /backup.zip',
  },
  'a page for what is missing': {
    on: servers['nginx, a page for what is missing'],
    files: { '/missing.html': page('', '<p>We could not find this page.') },
  },
  'a login for every path': {
    on: servers['Caddy, a login for every path'],
    kept: 'secrets_file /.env /backup.sql',
  },
  'Basic authentication': { on: servers['nginx, Basic authentication'], kept: 'secrets_file /.env' },
  'files with harmless content': {
    on: servers.Apache,
    files: {
      '/.env': '# Copy .env.example, and fill it in.\n',
      '/.npmrc': 'save-exact=true\nengine-strict=true\n',
      '/backup.sql': '<!doctype html><title>Gone</title><h1>There is no such file</h1>',
      '/error.log': '',
      '/server.key':
        '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----\n',
      '/docker-compose.txt': 'services:\n',
      '/.well-known/security.txt': 'Contact: mailto:security@clinic.com\nExpires: 2027-12-31T00:00:00Z\n',
      '/config.json': '{"server":"Server","password":"Passwort"}',
      '/status': 'ok\n',
      '/humans.txt': 'Made by people.\n',
      '/ads.txt': 'google.com, pub-1, DIRECT, f08c47fec0942fa0\n',
      '/site.webmanifest': '{"name":"Portal"}',
    },
  },
  'a site of a documentation tool': {
    on: servers.Python,
    files: {
      '/_sources/index.rst.txt': 'Portal\n======\n',
      '/searchindex.js': 'Search.setIndex({})',
      '/objects.inv': '# Sphinx inventory version 2\n',
    },
  },
};

const cases: readonly AccuracyCase[] = Object.entries(planted).map(
  ([name, { on, page = pages.plain, safe, full, kept, flaws = [], files }]) => {
    const paths = [safe, full, kept].flatMap(pathsIn);
    const all = {
      '/index.html': page,
      ...files,
      ...Object.fromEntries(paths.map(path => [path, contents[path]!])),
    };
    return websiteCase({
      name,
      flaws: [...flawsIn(safe), ...flaws],
      inFullScans: flawsIn(full),
      also: [...plainServer, 'transport.basic_auth_over_http', 'methods.trace_enabled'],
      start: () => on(all),
      host: port => `http://portal.clinic.com:${port}/`,
    });
  },
);

export const exposureFamily: Family = { name: 'exposure', cases };
