import { type ListedPath, listed } from './listed-paths.ts';

/** Files that deployments leave in the document root. */
export const filePaths: readonly ListedPath[] = [
  ...listed(
    'secrets_file',
    `
    /.env                      10
    /.env.production           8
    /.env.local                7
    /.env.bak                  6
    /.aws/credentials          5
    /.npmrc                    4
    /.htpasswd                 6   apache
    /id_rsa                    4.5
    /server.key                4.5
    /wp-config.php.bak         9   wordpress
    /wp-config.php~            8.5 wordpress
    /.wp-config.php.swp        8   wordpress
    /configuration.php.bak     9   joomla
    /configuration.php~        8   joomla
    /sites/default/settings.php.bak 8 drupal
    /LocalSettings.php.bak     8   mediawiki
    /LocalSettings.php~        8   mediawiki
    /config.php.bak            7   php
    /config/config.php.bak     7   nextcloud
    /app/etc/env.php.bak       8   magento
    /app/config/parameters.yml 8   symfony
    /web.config.bak            7   dotnet
    /appsettings.json          8   dotnet
    /application.properties    6   spring
    /config/database.yml       7   rails
    /config/master.key         7   rails
    /settings.py               5   python
    /local_settings.py         6   django
    /docker-compose.yml        6
    /.vscode/sftp.json         5.5
    /.git-credentials          4.5
    /api/index.php/v1/config/application?public=true 9 joomla
    `,
  ),
  ...listed(
    'version_control',
    `
    /.git/config    10
    /.git/HEAD      7
    /.svn/wc.db     6
    /.svn/entries   4.2
    /.hg/requires   4.2
    /.bzr/branch/branch.conf 2
    /CVS/Root       2
    `,
  ),
  ...listed(
    'backup',
    `
    /backup.zip     8
    /backup.sql     7.5
    /dump.sql       7
    /backup.tar.gz  6.5
    /database.sql   6
    /db.sqlite3     9   django
    /storage/database.sqlite 5 laravel
    /wp-content/backup-db/ 4 wordpress
    `,
  ),
  ...listed(
    'source_copy',
    `
    /index.php~     8   php
    /index.php.bak  8   php
    /.index.php.swp 7   php
    /config.php~    7   php
    /index.php.old  6   php
    /app.js.bak     4   node
    /server.js.bak  4   node
    /web.config.old 6   dotnet
    /index.jsp.bak  5   java
    `,
  ),
  ...listed(
    'log_file',
    `
    /error_log                  7   php
    /error.log                  5
    /access.log                 4.4
    /debug.log                  4.4
    /logs/error.log             4
    /storage/logs/laravel.log   9.5 laravel
    /wp-content/debug.log       9.5 wordpress
    /var/log/system.log         7   magento
    /log/production.log         6   rails
    /log/development.log        5   rails
    /npm-debug.log              5   node
    /typo3temp/var/log/         4   typo3
    `,
  ),
  ...listed(
    'shell_history',
    `
    /.bash_history   6
    /.zsh_history    3
    /.mysql_history  3
    /.psql_history   2
    `,
  ),
  ...listed(
    'development_file',
    `
    /package.json       7   node
    /composer.json      7   php
    /composer.lock      6   php
    /vendor/composer/installed.json 6 php
    /Gemfile            6   ruby
    /requirements.txt   6   python
    /web.config         7   dotnet
    /.htaccess          4   apache
    /Dockerfile         4.6
    /.gitlab-ci.yml     4.6
    /.idea/workspace.xml 4.5
    /.travis.yml        3
    /WEB-INF/web.xml    6   java
    /pom.xml            5   java
    `,
  ),
  // Folders that are often listed.
  ...listed(
    'named',
    `
    /wp-content/uploads/   8   wordpress
    /sites/default/files/  6   drupal
    /uploads/              4.3
    /backup/               3
    /backups/              2
    /files/                2
    /images/               2
    /assets/               2
    /static/               2
    /media/                2
    /download/             1
    /downloads/            1
    /data/                 1
    /logs/                 1
    /tmp/                  1
    /old/                  1
    /test/                 1
    /includes/             1   php
    /wp-includes/          4   wordpress
    /storage/              1
    /export/               1
    /cgi-bin/              1   apache
    `,
  ),
  ...listed('directory_index_file', '/.DS_Store 6.5'),
  ...listed(
    'cross_domain_policy',
    `
    /crossdomain.xml 4.4
    `,
  ),
  ...listed(
    'security_txt',
    `
    /.well-known/security.txt 4.5
    /security.txt             4.5
    `,
  ),
];
