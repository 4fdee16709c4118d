import { type ListedPath, listed } from './listed-paths.ts';

/** `{__schema{queryType{name}}}`, as a query string. */
export const graphqlQuestion = '?query=%7B__schema%7BqueryType%7Bname%7D%7D%7D';

/** Pages and endpoints of software that belong on no public site, or behind a login. */
export const servicePaths: readonly ListedPath[] = [
  ...listed(
    'actuator',
    `
    /actuator       8   spring
    /actuator/env   9   spring
    /actuator       5   java
    `,
  ),
  ...listed(
    'server_status',
    `
    /server-status          8   apache
    /server-info            5   apache
    /server-status          8   lighttpd
    /server-statistics      4   lighttpd
    /nginx_status           7   nginx
    /balancer-manager       4   apache
    /haproxy?stats          8   haproxy
    /stats                  7   haproxy
    /haproxy?stats          2
    /status?full            4   php
    /basic_status           2   nginx
    `,
  ),
  ...listed(
    'phpinfo',
    `
    /phpinfo.php    8   php
    /info.php       7.5 php
    /test.php       4   php
    /_profiler/phpinfo 6 symfony
    `,
  ),
  ...listed(
    'graphql',
    `
    /graphql${graphqlQuestion}     6
    /api/graphql${graphqlQuestion} 3
    `,
  ),
  ...listed(
    'api_documentation',
    `
    /swagger-ui/index.html  7   spring
    /swagger-ui/index.html  4.4
    /swagger.json           4.7
    /openapi.json           7   python
    /openapi.json           4.8
    /v3/api-docs            8   spring
    /swagger/index.html     7   dotnet
    /api-docs               5   node
    /docs                   4   node
    /docs                   6   python
    `,
  ),
  ...listed(
    'installer',
    `
    /wp-admin/install.php        9   wordpress
    /wp-admin/setup-config.php   7   wordpress
    /core/install.php            9   drupal
    /installation/index.php      9   joomla
    /mw-config/index.php         9   mediawiki
    /install.php                 9   dokuwiki
    /install.php                 7   moodle
    /setup/                      7   magento
    /install/index.php           8   prestashop
    /typo3/install.php           8   typo3
    /install                     9   gitea
    /ghost/api/admin/authentication/setup/ 9 ghost
    /admin/init                  8   strapi
    /install/                    5   php
    /install.php                 4   php
    /setup.php                   3   php
    `,
  ),
  ...listed(
    'database_console',
    `
    /phpmyadmin/       8   php
    /adminer.php       7.5 php
    /pma/              4   php
    /h2-console/       7   spring
    /h2-console        3   java
    /_cat/indices      9   elasticsearch
    /query?q=SHOW%20DATABASES 9 influxdb
    /version           6   go
    /_utils/           2
    /pgadmin4/login    3   python
    /solr/             4   java
    `,
  ),
  ...listed(
    'admin_console',
    `
    /manager/html      9   tomcat
    /manager/html      4   java
    /jolokia/version   5   java
    /script            8   jenkins
    /sidekiq           6   rails
    /horizon           7   laravel
    /admin/queues      5   node
    /hangfire          6   dotnet
    /dashboard/        5   traefik
    /api/rawdata       8   traefik
    /jenkins/login     3   java
    /admin/            3
    `,
  ),
  ...listed(
    'metrics',
    `
    /metrics           7   go
    /status            4   express
    /metrics           5
    /actuator/prometheus 5 spring
    /debug/vars        7   go
    `,
  ),
  ...listed(
    'debugger',
    `
    /telescope         8   laravel
    /_ignition/health-check 8 laravel
    /_profiler/        9   symfony
    /app_dev.php       7   symfony
    /__debug__/        3   django
    /silk/             3   django
    /console           7   python
    /rails/info/properties 8 rails
    /rails/info/routes 6   rails
    /debug/pprof/      8   go
    /trace.axd         7   dotnet
    /elmah.axd         8   dotnet
    /@vite/client      8   vite
    /graphiql          1   node
    /_debugbar/open    5.5 laravel
    /debug/default/view 4  php
    `,
  ),
  ...listed(
    'user_list',
    `
    /wp-json/wp/v2/users   9   wordpress
    /jsonapi/user/user     6   drupal
    /api/v1/users/search   6   gitea
    `,
  ),
  ...listed('xml_rpc', '/xmlrpc.php 8 wordpress'),
  ...listed(
    'version_file',
    `
    /readme.html           6   wordpress
    /CHANGELOG.txt         5   drupal
    /core/CHANGELOG.txt    4   drupal
    /administrator/manifests/files/joomla.xml 7 joomla
    /magento_version       7   magento
    /lib/upgrade.txt       5   moodle
    `,
  ),
];
