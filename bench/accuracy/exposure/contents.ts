import { gzipSync } from 'node:zlib';
import { b62, b64, hex, pem } from '../../../src/detectors/website/secrets/planted/random.ts';

const password = b62('exposure password', 18);
const bytes = (magic: string) => Buffer.concat([Buffer.from(magic, 'latin1'), Buffer.alloc(600, 0x2a)]);
const gzip = (text: string) => gzipSync(Buffer.from(text));

const environment = `APP_ENV=production\nAPP_KEY=base64:${b64('app key', 43)}=\nDB_HOST=10.2.0.8\nDB_DATABASE=portal\nDB_PASSWORD=${password}\nMAIL_HOST=smtp.clinic.com\n`;
const phpSettings = `<?php\ndefine( 'DB_NAME', 'portal' );\ndefine( 'DB_USER', 'portal' );\ndefine( 'DB_PASSWORD', '${password}' );\ndefine( 'AUTH_KEY', '${b62('auth key', 40)}' );\n$table_prefix = 'wp_';\n`;
const phpPage =
  "<?php\nrequire __DIR__ . '/vendor/autoload.php';\n$app = new Portal\\Kernel('prod', false);\n$app->run();\n";
const nodePage =
  "const express = require('express');\nconst app = express();\napp.listen(process.env.PORT);\n";
const mysqlDump =
  '-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)\n--\n-- Host: localhost    Database: portal\n-- ------------------------------------------------------\nDROP TABLE IF EXISTS `patient`;\nCREATE TABLE `patient` (\n  `id` int NOT NULL\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;\n';
const mariaDump =
  '/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19  Distrib 10.11.6-MariaDB, for debian-linux-gnu (x86_64)\n--\n-- Host: localhost    Database: portal\n';
const postgresDump =
  '--\n-- PostgreSQL database dump\n--\n\n-- Dumped from database version 15.5\n\nSET statement_timeout = 0;\nCREATE TABLE public.patient (\n    id integer NOT NULL\n);\n';
const swap = bytes('b0VIM 9.0\0\0\0\0\x10\0\0');
const access =
  '203.0.113.7 - - [28/Nov/2026:06:25:14 +0000] "GET /patients/42 HTTP/1.1" 200 5316 "-" "Mozilla/5.0"\n'.repeat(
    4,
  );
const nginxError =
  '2026/11/28 06:25:14 [error] 812#812: *5 open() "/srv/portal/favicon.ico" failed (2: No such file or directory), client: 203.0.113.7\n'.repeat(
    3,
  );
const apacheError =
  '[Sat Nov 28 06:25:14.118523 2026] [php:error] [pid 812] [client 203.0.113.7:52114] PHP Fatal error:  Uncaught PDOException in /var/www/portal/db.php:12\n'.repeat(
    3,
  );
const jsonLog = '{"level":"info","time":1795847114118,"pid":812,"msg":"patient 42 signed in"}\n'.repeat(3);
const npmLog =
  '0 verbose cli /usr/bin/node /usr/bin/npm\n1 info using npm@10.2.4\n2 info using node@v20.11.1\n';
const history =
  'cd /srv/portal\nls -la\nvim .env\nsudo systemctl restart nginx\ngit pull\nmysqldump portal > backup.sql\n';
const workflow =
  'name: deploy\non:\n  push:\n    branches: [main]\njobs:\n  deploy:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci && npm run deploy\n';
const compose = `services:\n  db:\n    image: postgres:15\n    environment:\n      POSTGRES_PASSWORD: ${password}\n  web:\n    build: .\n`;
const lock = JSON.stringify(
  { name: 'portal', lockfileVersion: 3, packages: { '': { name: 'portal' } } },
  null,
  2,
);
const manifest = JSON.stringify(
  { name: 'portal', version: '1.4.2', scripts: { start: 'node .' }, dependencies: { express: '^4.18.2' } },
  null,
  2,
);
const terraform = `{\n  "version": 4,\n  "terraform_version": "1.6.6",\n  "serial": 12,\n  "resources": [{"type":"aws_db_instance","instances":[{"attributes":{"password":"${password}"}}]}]\n}\n`;

/** Files as tools and people leave them in the document root of a site, by path. */
export const contents: Readonly<Record<string, string | Buffer>> = {
  // Environments.
  ...Object.fromEntries(
    [
      '',
      '.production',
      '.local',
      '.bak',
      '.prod',
      '.staging',
      '.dev',
      '.old',
      '.save',
      '~',
      '.backup',
      '.live',
      '.1',
      '.swp',
      '_backup',
    ].map(suffix => [`/.env${suffix}`, suffix === '.swp' ? swap : environment]),
  ),
  '/api/.env': environment,
  '/backend/.env': environment,
  '/.envrc': `export DATABASE_URL=postgres://portal:${password}@10.2.0.8/portal\nexport SECRET_KEY=${hex('envrc', 64)}\n`,
  // Settings.
  ...Object.fromEntries(
    ['.bak', '~', '.old', '.save', '.orig', '.txt', '_bak', '.bak1', '-backup'].map(suffix => [
      `/wp-config.php${suffix}`,
      phpSettings,
    ]),
  ),
  '/.wp-config.php.swp': swap,
  '/wp-config.php.swp': swap,
  '/config.php.bak': phpSettings,
  '/configuration.php.bak': `<?php\nclass JConfig {\n\tpublic $user = 'portal';\n\tpublic $password = '${password}';\n}\n`,
  '/settings.py': `import os\nSECRET_KEY = 'django-insecure-${b62('django', 50)}'\nDEBUG = False\nINSTALLED_APPS = []\n`,
  '/local_settings.py': `from .settings import *\nSECRET_KEY = '${b62('django local', 50)}'\n`,
  '/config/database.yml': `production:\n  adapter: postgresql\n  database: portal\n  username: portal\n  password: ${password}\n`,
  '/config/secrets.yml': `production:\n  secret_key_base: ${hex('rails', 128)}\n`,
  '/config/master.key': hex('master', 32),
  '/application.properties': `spring.datasource.url=jdbc:postgresql://10.2.0.8/portal\nspring.datasource.username=portal\nspring.datasource.password=${password}\n`,
  '/application.yml': `spring:\n  datasource:\n    url: jdbc:postgresql://10.2.0.8/portal\n    username: portal\n    password: ${password}\n`,
  '/WEB-INF/classes/application.properties': `spring.datasource.username=portal\nspring.datasource.password=${password}\n`,
  '/appsettings.json': `{"ConnectionStrings":{"Default":"Server=10.2.0.8;Database=portal;User Id=portal;Password=${password};"}}`,
  '/appsettings.Production.json': `{"ConnectionStrings":{"Default":"Server=10.2.0.8;Database=portal;User Id=portal;Password=${password};"}}`,
  '/web.config.bak': `<?xml version="1.0"?>\n<configuration>\n  <connectionStrings>\n    <add name="portal" connectionString="Server=10.2.0.8;User Id=portal;Password=${password}" />\n  </connectionStrings>\n</configuration>\n`,
  '/.htpasswd': `admin:$apr1$${b62('salt', 8)}$${b62('hash', 22)}\n`,
  '/.npmrc': `//registry.npmjs.org/:_authToken=npm_${b62('npmrc', 36)}\n`,
  '/.git-credentials': `https://deploy:${b62('git', 40)}@git.clinic.com\n`,
  '/.netrc': `machine git.clinic.com login deploy password ${password}\n`,
  '/.pgpass': `10.2.0.8:5432:portal:portal:${password}\n`,
  '/.my.cnf': `[client]\nuser=portal\npassword=${password}\n`,
  '/.aws/credentials': `[default]\naws_access_key_id = AKIA${b62('aws', 16).toUpperCase()}\naws_secret_access_key = ${b64('aws', 40)}\n`,
  '/.docker/config.json': `{"auths":{"registry.clinic.com":{"auth":"${b64('docker', 40)}"}}}`,
  '/.kube/config': `apiVersion: v1\nkind: Config\nusers:\n- name: admin\n  user:\n    token: ${b62('kube', 60)}\n`,
  '/.vscode/sftp.json': `{\n  "name": "portal",\n  "host": "10.2.0.8",\n  "username": "deploy",\n  "password": "${password}"\n}\n`,
  '/terraform.tfstate': terraform,
  '/terraform.tfstate.backup': terraform,
  '/terraform.tfvars': `db_username = "portal"\ndb_password = "${password}"\n`,
  '/credentials.json': `{"type":"service_account","project_id":"clinic","private_key":"${pem('PRIVATE KEY', 'exposure gcp').replaceAll('\n', '\\n')}"}`,
  '/id_rsa': pem('OPENSSH PRIVATE KEY', 'exposure ssh'),
  '/.ssh/id_rsa': pem('OPENSSH PRIVATE KEY', 'exposure ssh 2'),
  '/.ssh/id_ed25519': pem('OPENSSH PRIVATE KEY', 'exposure ssh 3'),
  '/server.key': pem('RSA PRIVATE KEY', 'exposure tls'),
  '/privkey.pem': pem('PRIVATE KEY', 'exposure tls 2'),
  '/private.key': pem('EC PRIVATE KEY', 'exposure tls 3'),
  '/ssl/server.key': pem('PRIVATE KEY', 'exposure tls 4'),
  '/docker-compose.yml': compose,
  '/docker-compose.yaml': compose,
  '/docker-compose.prod.yml': compose,
  '/docker-compose.override.yml': compose,
  '/compose.yaml': compose,
  // Version control.
  '/.git/config':
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n[remote "origin"]\n\turl = git@git.clinic.com:portal.git\n',
  '/.git/HEAD': 'ref: refs/heads/main\n',
  '/app/.git/config': '[core]\n\trepositoryformatversion = 0\n\tbare = false\n',
  '/.svn/wc.db': bytes('SQLite format 3\0\x10\0\x01\x01'),
  '/.svn/entries': '12\n',
  '/.hg/requires': 'dotencode\nfncache\ngeneraldelta\nrevlogv1\nstore\n',
  '/.bzr/branch/branch.conf': 'parent_location = bzr+ssh://bzr.clinic.com/portal\n',
  '/CVS/Root': ':pserver:deploy@cvs.clinic.com:/cvs\n',
  // Dumps and archives.
  '/backup.sql': mysqlDump,
  '/dump.sql': postgresDump,
  '/database.sql': mariaDump,
  '/db.sql': mysqlDump,
  '/portal.sql': mysqlDump,
  '/backup.sql.gz': gzip(mysqlDump),
  '/dump.sql.gz': gzip(postgresDump),
  '/db.sql.gz': gzip(mysqlDump),
  '/backup.dump': bytes('PGDMP\x01\x0e\0\x04\x08'),
  '/db.dump': bytes('PGDMP\x01\x0e\0\x04\x08'),
  '/dump.rdb': bytes('REDIS0011\xfa\x09redis-ver'),
  '/backup.zip': bytes('PK\x03\x04\x14\0\0\0'),
  '/website.zip': bytes('PK\x03\x04\x14\0\0\0'),
  '/portal.zip': bytes('PK\x03\x04\x14\0\0\0'),
  '/www.zip': bytes('PK\x03\x04\x14\0\0\0'),
  '/site.tar.gz': gzip('portal/'),
  '/backup.tar.gz': gzip('portal/'),
  '/html.tar.gz': gzip('portal/'),
  '/backup.tgz': gzip('portal/'),
  '/backup.tar.bz2': bytes('BZh91AY&SY'),
  '/backup.tar.xz': bytes('\xfd7zXZ\0'),
  '/backup.7z': bytes('7z\xbc\xaf\x27\x1c'),
  '/backup.rar': bytes('Rar!\x1a\x07\x01\0'),
  '/backup.bak': bytes('TAPE\0\0\x03\0'),
  '/backups/backup.zip': bytes('PK\x03\x04\x14\0\0\0'),
  '/db.sqlite3': bytes('SQLite format 3\0\x10\0\x01\x01'),
  '/app.db': bytes('SQLite format 3\0\x10\0\x01\x01'),
  '/db_backup.sql': postgresDump,
  '/php_error.log': apacheError,
  '/database.sqlite': bytes('SQLite format 3\0\x10\0\x01\x01'),
  '/data.db': bytes('SQLite format 3\0\x10\0\x01\x01'),
  // Copies of editors and people.
  '/index.php~': phpPage,
  '/index.php.bak': phpPage,
  '/login.php.bak': phpPage,
  '/members/.list.php.swp': swap,
  '/members/list.php~': phpPage,
  '/members/list.php.old': phpPage,
  '/index.php.old': phpPage,
  '/index.php.save': phpPage,
  '/index.php.orig': phpPage,
  '/index.php.txt': phpPage,
  '/index.php.1': phpPage,
  '/index.php_old': phpPage,
  '/index.phps': phpPage,
  '/%23index.php%23': phpPage,
  '/.index.php.swp': swap,
  '/.index.php.swo': swap,
  '/index.php.swp': swap,
  '/.index.php.un~': bytes('Vim\x9fUnDo\xe5\0\x02'),
  '/config.php~': phpSettings,
  '/app.js.bak': nodePage,
  '/server.js.bak': nodePage,
  '/server.js~': nodePage,
  '/app.py.bak': 'from flask import Flask\napp = Flask(__name__)\n',
  '/app.py~': 'from flask import Flask\napp = Flask(__name__)\n',
  '/index.jsp.bak': '<%@ page language="java" contentType="text/html" %>\n<html></html>\n',
  // Of tools.
  '/keystore.jks': bytes('\xfe\xed\xfe\xed\0\0\0\x02\0\0\0\x01'),
  '/server.pfx': bytes('\x30\x82\x0a\x10\x02\x01\x03\x30\x82\x09\xd6'),
  '/.s3cfg': `[default]\naccess_key = AKIA${b62('s3cfg', 16).toUpperCase()}\nsecret_key = ${b64('s3cfg', 40)}\n`,
  '/.vault-token': `hvs.${b62('vault', 90)}`,
  '/auth.json': `{"http-basic":{"repo.clinic.com":{"username":"portal","password":"${password}"}}}`,
  '/sitemanager.xml': `<?xml version="1.0"?>\n<FileZilla3><Servers><Server><Host>10.2.0.8</Host><Pass encoding="base64">${b64('filezilla', 20)}</Pass></Server></Servers></FileZilla3>\n`,
  '/.ftpconfig': `{"protocol":"sftp","host":"10.2.0.8","user":"deploy","pass":"${password}"}`,
  '/config.json': `{"production":{"username":"portal","password":"${password}","host":"10.2.0.8","dialect":"mysql"}}`,
  '/.git/index': bytes('DIRC\0\0\0\x02\0\0\0\x05'),
  '/.hg/hgrc': '[paths]\ndefault = https://hg.clinic.com/portal\n',
  '/CVS/Entries': '/index.php/1.4/Tue Nov 28 06:25:14 2026//\nD/lib////\n',
  '/.gitconfig': '[user]\n\tname = Ada\n\temail = ada@clinic.com\n',
  '/.ssh/known_hosts': `git.clinic.com ssh-ed25519 AAAA${b64('host', 64)}\n`,
  '/logs/catalina.out':
    '28-Nov-2026 06:25:14.118 INFO [main] org.apache.catalina.startup.Catalina.start Server startup in 812 ms\n',
  '/clinic.sql': mysqlDump,
  // With bytes that would switch the character set of a text.
  '/core': bytes('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x04\0\x3e\0\x1b$B\x1b('),
  // Logs.
  '/error.log': nginxError,
  '/access.log': access,
  '/error_log': apacheError,
  '/debug.log': jsonLog,
  '/logs/error.log': nginxError,
  '/logs/access.log': access,
  '/log/access.log': access,
  '/app.log': jsonLog,
  '/logs/app.log': jsonLog,
  '/server.log': jsonLog,
  '/npm-debug.log': npmLog,
  '/storage/logs/laravel.log':
    '[2026-11-28 06:25:14] production.ERROR: SQLSTATE[28000] {"exception":"[object] (PDOException)"}\n'.repeat(
      3,
    ),
  '/wp-content/debug.log':
    '[28-Nov-2026 06:25:14 UTC] PHP Warning:  Undefined variable $a in /var/www/portal/wp-content/a.php on line 3\n'.repeat(
      3,
    ),
  '/log/production.log':
    'I, [2026-11-28T06:25:14.118523 #812]  INFO -- : Started GET "/patients/42" for 203.0.113.7\n'.repeat(3),
  // Histories.
  '/.bash_history': history,
  '/.zsh_history': ': 1795847114:0;cd /srv/portal\n: 1795847120:0;git pull\n: 1795847131:3;npm ci\n',
  '/.mysql_history': '_HiStOrY_V2_\nshow\\040databases;\nuse\\040portal;\n',
  '/.psql_history': '\\dt\nselect * from patient limit 3;\n',
  '/.python_history': 'import os\nprint(os.environ)\n',
  '/.node_repl_history': "process.env\nrequire('./db').query('select 1')\n",
  '/.sh_history': history,
  // Development and deployment.
  '/package.json': manifest,
  '/package-lock.json': lock,
  '/yarn.lock':
    '# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.\n# yarn lockfile v1\n\n\nexpress@^4.18.2:\n  version "4.18.2"\n',
  '/pnpm-lock.yaml': "lockfileVersion: '9.0'\n\nimporters:\n  .:\n    dependencies: {}\n",
  '/composer.json': '{"name":"clinic/portal","require":{"php":"^8.1"}}',
  '/composer.lock': `{"_readme":[],"content-hash":"${hex('composer', 32)}","packages":[]}`,
  '/vendor/composer/installed.json':
    '{"packages":[{"name":"monolog/monolog","version":"3.5.0","version_normalized":"3.5.0.0"}]}',
  '/Gemfile': "source 'https://rubygems.org'\ngem 'rails', '~> 7.1'\n",
  '/Gemfile.lock': 'GEM\n  remote: https://rubygems.org/\n  specs:\n    rails (7.1.2)\n',
  '/requirements.txt': 'Django==4.2.7\npsycopg2==2.9.9\n',
  '/Pipfile.lock': `{"_meta":{"hash":{"sha256":"${hex('pip', 64)}"}},"default":{}}`,
  '/poetry.lock': '[[package]]\nname = "django"\nversion = "4.2.7"\n',
  '/Pipfile': '[packages]\ndjango = "*"\n',
  '/Cargo.toml': '[package]\nname = "portal"\n',
  '/build.gradle': "plugins {\n  id 'java'\n}\n",
  '/go.mod': 'module clinic.com/portal\n\ngo 1.21\n',
  '/pom.xml':
    '<?xml version="1.0"?>\n<project xmlns="http://maven.apache.org/POM/4.0.0">\n  <artifactId>portal</artifactId>\n</project>\n',
  '/WEB-INF/web.xml':
    '<?xml version="1.0"?>\n<web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="4.0"></web-app>\n',
  '/web.config':
    '<?xml version="1.0"?>\n<configuration>\n  <system.webServer>\n    <handlers />\n  </system.webServer>\n</configuration>\n',
  '/.htaccess': 'RewriteEngine On\nRewriteRule ^index\\.php$ - [L]\n',
  '/Dockerfile': 'FROM node:20-alpine\nWORKDIR /app\nCOPY . .\nCMD ["node", "."]\n',
  '/.gitlab-ci.yml': 'stages: [test, deploy]\ntest:\n  stage: test\n  script:\n    - npm test\n',
  '/.travis.yml': 'language: node_js\nnode_js: 20\nscript:\n  - npm test\n',
  '/.github/workflows/deploy.yml': workflow,
  '/.github/workflows/main.yml': workflow,
  '/.circleci/config.yml':
    'version: 2.1\njobs:\n  build:\n    docker:\n      - image: cimg/node:20.11\n    steps:\n      - checkout\n',
  '/Jenkinsfile':
    "pipeline {\n  agent any\n  stages {\n    stage('Deploy') { steps { sh './deploy.sh' } }\n  }\n}\n",
  '/bitbucket-pipelines.yml':
    'image: node:20\npipelines:\n  default:\n    - step:\n        script:\n          - npm test\n',
  '/azure-pipelines.yml': 'trigger:\n- main\nsteps:\n- script: npm test\n',
  '/.idea/workspace.xml':
    '<?xml version="1.0" encoding="UTF-8"?>\n<project version="4">\n  <component name="ChangeListManager" />\n</project>\n',
  '/.idea/dataSources.xml':
    '<?xml version="1.0" encoding="UTF-8"?>\n<project version="4">\n  <component name="DataSourceManagerImpl" />\n</project>\n',
  '/deployment.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: portal\n',
  '/serverless.yml': 'service: portal\nprovider:\n  name: aws\n  runtime: nodejs20.x\n',
  '/main.tf':
    'provider "aws" {\n  region = "eu-west-1"\n}\nresource "aws_s3_bucket" "scans" {\n  bucket = "clinic-scans"\n}\n',
  '/Vagrantfile': 'Vagrant.configure("2") do |config|\n  config.vm.box = "debian/bookworm64"\nend\n',
  '/Procfile': 'web: gunicorn portal.wsgi\n',
  '/Makefile': 'deploy:\n\trsync -a . deploy@10.2.0.8:/srv/portal\n',
  '/deploy.sh': '#!/bin/bash\nset -e\nrsync -a . deploy@10.2.0.8:/srv/portal\n',
  '/nginx.conf': 'server {\n  listen 80;\n  server_name portal.clinic.com;\n  root /srv/portal;\n}\n',
  '/php.ini': '[PHP]\nmemory_limit = 256M\ndisplay_errors = Off\n',
  '/.user.ini': 'upload_max_filesize = 64M\npost_max_size = 64M\n',
  '/.DS_Store': bytes('\0\0\0\x01Bud1\0\0\x10\0'),
};
