import { listedPaths } from './exposure-paths.ts';
import type { ExposurePath } from './listed-paths.ts';
import { graphqlQuestion } from './service-paths.ts';

type Kind = ExposurePath['kind'];

const of = (kind: Kind, paths: readonly string[]): ExposurePath[] => paths.map(path => ({ path, kind }));

/** Every file in every folder. */
const within = (folders: readonly string[], files: readonly string[]): string[] =>
  folders.flatMap(folder => files.map(file => `${folder}${file}`));

const suffixed = (name: string, suffixes: readonly string[]) => suffixes.map(suffix => `${name}${suffix}`);

const fixed: readonly ExposurePath[] = [
  ...of('secrets_file', [
    ...suffixed('/.env', [
      '.prod',
      '.dev',
      '.development',
      '.staging',
      '.test',
      '.old',
      '.save',
      '.orig',
      '~',
      ...['.backup', '.live', '.swp', 'rc', '.production.local', '.docker', '.stage', '.copy'],
    ]),
    ...within(
      [
        ...[
          '/api',
          '/app',
          '/backend',
          '/server',
          '/web',
          '/public',
          '/src',
          '/config',
          '/admin',
          '/frontend',
        ],
      ],
      ['/.env'],
    ),
    ...within(['', '/.ssh'], ['/id_ed25519', '/id_ecdsa']),
    '/.ssh/id_rsa',
    ...suffixed('/', ['private.key', 'private.pem', 'privkey.pem', 'key.pem', 'localhost.key', 'ssl.key']),
    ...within(['/ssl', '/certs'], ['/server.key', '/private.key']),
    ...suffixed('/', ['server.pfx', 'keystore.jks', 'keystore.p12']),
    '/env.txt',
    '/.config/gcloud/application_default_credentials.json',
    ...suffixed('/', ['.s3cfg', '.vault-token', 'auth.json', 'local.settings.json']),
    ...suffixed('/', ['.ftpconfig', 'sitemanager.xml', 'filezilla.xml']),
    ...suffixed('/config.', ['json', 'ini', 'old', 'yml', 'inc.php~', 'inc.php.old']),
    ...suffixed('/', ['secrets.json', 'config/config.json', 'parameters.yml', 'values.yaml']),
    ...suffixed('/.', ['git-credentials', 'netrc', 'pgpass', 'my.cnf', 'pypirc', 'dockercfg']),
    '/.docker/config.json',
    '/.kube/config',
    '/kubeconfig',
    '/.vscode/sftp.json',
    '/sftp-config.json',
    '/admin/.htpasswd',
    ...suffixed('/', [
      'service-account.json',
      'serviceAccountKey.json',
      'firebase-adminsdk.json',
      'credentials.json',
    ]),
    ...suffixed('/wp-config.php', ['.old', '.save', '.txt', '.orig', '~', '_bak']),
    ...suffixed('/', ['wp-config.bak', 'db.php.bak', 'database.php.bak', 'secrets.yaml']),
    '/wp-config.old',
    '/wp-config.txt',
    '/configuration.php.bak',
    '/config.php.bak',
    '/config.inc.php.bak',
    '/settings.php.bak',
    '/local_settings.py',
    '/settings.py',
    ...within(['/config'], ['/database.yml', '/secrets.yml', '/master.key', '/application.yml']),
    ...suffixed('/', [
      'application.properties',
      'application.yml',
      'appsettings.json',
      'appsettings.Production.json',
    ]),
    '/terraform.tfstate',
    '/terraform.tfstate.backup',
    '/terraform.tfvars',
    ...within(['/WEB-INF/classes'], ['/application.properties', '/application.yml']),
    '/docker-compose.yml',
    '/docker-compose.yaml',
    ...suffixed('/docker-compose', ['.prod.yml', '.override.yml']),
    '/compose.yaml',
  ]),
  ...of('version_control', [
    ...within(
      [...['/app', '/api', '/public', '/web', '/blog', '/wp-content', '/admin', '/old']],
      ['/.git/config'],
    ),
    ...within(['/.git'], ['/index', '/logs/HEAD']),
    ...suffixed('/', ['.hg/hgrc', 'CVS/Entries', '.git-credentials', '.gitconfig']),
  ]),
  ...of('backup', [
    ...['site', 'www', 'html', 'public_html', 'website', 'app'].flatMap(name =>
      suffixed(`/${name}`, ['.zip', '.tar.gz']),
    ),
    ...suffixed('/', ['wwwroot.zip', 'web.zip', 'htdocs.zip', 'old.zip', 'source.zip', 'src.zip', 'bak.zip']),
    ...['db', 'data'].flatMap(name => suffixed(`/${name}`, ['.zip', '.sql', '.sql.gz', '.mdb'])),
    ...suffixed('/', ['db_backup.sql', 'mysqldump.sql', 'sql.sql', 'site.sql', 'www.sql', 'backup.sql.zip']),
    ...suffixed('/', ['app.db', 'database.db', 'sqlite.db']),
    ...suffixed('/', ['database.mdb', 'database/database.sqlite', 'mysql.sql', 'users.sql', 'core']),
    ...suffixed('/database', ['.zip', '.tar.gz', '.sql.gz']),
    ...suffixed('/backup', ['.tgz', '.sql.gz', '.tar', '.7z', '.rar']),
    ...suffixed('/dump', ['.sql.gz', '.zip', '.tar.gz']),
    ...within(['/backup', '/backups'], ['/backup.zip', '/backup.sql', '/database.sql', '/dump.sql']),
    '/db.sqlite',
    '/database.sqlite',
    '/data.db',
    ...suffixed('/backup', ['.dump', '.bak', '.tar.bz2', '.tar.xz']),
    ...within([''], ['/db.dump', '/dump.rdb']),
  ]),
  ...of('source_copy', [
    ...suffixed('/index.php', ['.save', '.orig', '.swp', '.txt']),
    ...within([''], ['/%23index.php%23', '/%23config.php%23']),
    ...suffixed('/config.php', ['.old', '.save', '.swp']),
    ...within(
      [''],
      ['/app.js~', '/server.js~', '/app.py~', '/app.py.bak', '/index.js.bak', '/.htaccess.bak'],
    ),
  ]),
  ...of('shell_history', ['/.python_history', '/.node_repl_history', '/.sh_history']),
  ...of('log_file', [
    ...within(['/logs', '/log'], ['/access.log', '/error.log', '/app.log']),
    ...suffixed('/', ['app.log', 'server.log', 'laravel.log', 'php_errors.log', 'nohup.out', 'access_log']),
    ...suffixed('/', ['php_error.log', 'application.log']),
    ...suffixed('/', ['var/log/prod.log', 'var/log/dev.log', 'logs/catalina.out', 'yarn-error.log']),
    '/logs/laravel.log',
  ]),
  ...of('development_file', [
    ...suffixed('/', [
      'package-lock.json',
      'yarn.lock',
      'pnpm-lock.yaml',
      'Gemfile.lock',
      'Pipfile.lock',
      'poetry.lock',
    ]),
    ...within(['/.github/workflows'], ['/deploy.yml', '/main.yml', '/ci.yml']),
    ...suffixed('/', [
      'Jenkinsfile',
      '.circleci/config.yml',
      'bitbucket-pipelines.yml',
      'azure-pipelines.yml',
    ]),
    ...suffixed('/', ['deploy.sh', 'main.tf', 'serverless.yml', 'Vagrantfile', 'nginx.conf', '.user.ini']),
    ...suffixed('/', [
      'build.gradle',
      'Pipfile',
      'phpunit.xml',
      'Cargo.toml',
      'cloudbuild.yaml',
      'buildspec.yml',
    ]),
    '/.idea/dataSources.xml',
    ...suffixed('/', ['.vscode/settings.json', '.vscode/launch.json', '.aws/config', 'playbook.yml']),
    ...suffixed('/.ssh/', ['authorized_keys', 'known_hosts', 'config']),
    ...suffixed('/', ['Makefile', 'Procfile', 'go.mod', 'deployment.yaml']),
  ]),
  ...of('actuator', [
    '/env',
    '/manage/env',
    '/management/env',
    '/api/actuator',
    '/api/actuator/env',
    '/app/actuator',
  ]),
  ...of('server_status', [
    '/server-info',
    '/status',
    '/status?full',
    '/fpm-status',
    '/stub_status',
    '/basic_status',
    '/server-statistics',
  ]),
  ...of('phpinfo', [
    '/phpinfo',
    '/php.php',
    '/test.php',
    '/i.php',
    '/pi.php',
    '/admin/phpinfo.php',
    '/_profiler/phpinfo',
  ]),
  ...of('directory_index_file', within(['/assets', '/static', '/images'], ['/.DS_Store'])),
  ...of('cross_domain_policy', ['/clientaccesspolicy.xml']),
  ...of('graphql', within(['/api/graphql', '/v1/graphql', '/graphql/v1', '/query'], [graphqlQuestion])),
  ...of('api_documentation', [
    '/swagger',
    '/swagger/index.html',
    '/swagger/v1/swagger.json',
    '/swagger.yaml',
    '/openapi.yaml',
    ...within(['/api', '/docs'], ['/swagger.json', '/openapi.json']),
    '/api-docs',
    '/v2/api-docs',
    '/redoc',
  ]),
  ...of('installer', ['/installer/', '/install/app.php', '/install/install.php', '/_install/', '/setup']),
  ...of('database_console', [
    ...suffixed('/', [
      'adminer/',
      'mysql/',
      'db/',
      'phppgadmin/',
      'phpMyAdmin/',
      'dbadmin/',
      'mongo-express/',
    ]),
    ...suffixed('/', ['redis-commander/', 'kibana/', 'version', 'query?q=SHOW%20DATABASES']),
  ]),
  ...of('admin_console', [
    ...suffixed('/', ['jenkins/', 'rabbitmq/', 'portainer/', 'flower/', 'airflow/', 'jupyter/', 'traefik/']),
    ...suffixed('/', [
      'haproxy/stats',
      'haproxy_stats',
      'stats',
      'admin?stats',
      'host-manager/html',
      'nodered/',
    ]),
  ]),
  ...of('metrics', suffixed('/', ['grafana/', 'prometheus/', 'munin/', 'netdata/', 'nagios/'])),
  ...of('debugger', ['/graphiql', '/playground', '/webpack-dev-server', '/clockwork/app']),
];

/**
 * All paths that a full scan requests: those of every technology, variants, other folders, and archives named after the
 * site.
 *
 * @param hostname in lowercase ASCII
 */
export function deepExposurePaths(hostname: string): readonly ExposurePath[] {
  const labels = hostname.replace(/^www\./, '').split('.');
  // The name of the site, and that of its domain.
  const names = new Set(
    [hostname, labels[0]!, labels.slice(-2).join('.'), labels.at(-2) ?? ''].filter(name =>
      /^[a-z0-9][a-z0-9.-]{1,80}$/.test(name),
    ),
  );
  const ofSite = [...names].flatMap(name => suffixed(`/${name}`, ['.zip', '.tar.gz', '.sql', '.sql.gz']));
  const known = new Map<string, ExposurePath>();
  for (const one of [...listedPaths, ...fixed, ...of('backup', ofSite)])
    if (!known.has(one.path)) known.set(one.path, one);
  return [...known.values()];
}
