import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { hideDotFiles, notFound } from '../../remediation/not-found.ts';

const open = lowers(
  safeguards.accessControl,
  'Anyone can download data that only authorized people and programs should be able to read.',
);

const cwe538 = 'https://cwe.mitre.org/data/definitions/538.html';
const cwe200 = 'https://cwe.mitre.org/data/definitions/200.html';

export const exposureChecks = {
  versionControl: {
    id: 'exposure.version_control',
    title: 'A source code repository can be downloaded',
    severity: 'high',
    revisited: true,
    why: 'Anyone can restore the source code and its history from a .git, .svn or .hg folder, including any password that was ever committed.',
    fix: {
      advice:
        'Deploy a build artifact instead of a checkout, block the folder, and change every secret that was ever in its history.',
      steps: hideDotFiles,
    },
    references: ['https://cwe.mitre.org/data/definitions/527.html'],
    safeguards: [open],
  },
  secretsFile: {
    id: 'exposure.secrets_file',
    title: 'A file with secrets can be downloaded',
    severity: 'critical',
    revisited: true,
    why: 'Anyone who downloads the file has the passwords and keys of databases and services. Assume that someone already has.',
    fix: {
      advice:
        'Remove the file from the document root now, change every secret in it, and check the access logs for downloads. Store such files outside the document root, and block names that start with a dot.',
      steps: hideDotFiles,
    },
    references: [cwe538, 'https://cwe.mitre.org/data/definitions/522.html'],
    safeguards: [
      open,
      lowers(
        safeguards.passwordManagement,
        'Files of this kind contain passwords, and anyone can download this one.',
      ),
    ],
  },
  backup: {
    id: 'exposure.backup',
    title: 'A backup or database dump can be downloaded',
    severity: 'high',
    revisited: true,
    why: 'A copy of the application or its data exposes everything at once, without a login.',
    fix: {
      advice:
        'Remove the file, store backups outside the document root with their own access control, and check the access logs for downloads. If the file contains personal data, treat this as an incident. Block backup files by extension.',
      steps: notFound(
        String.raw`\.(?:bak|dump|sql|sqlite3?|db|tar|t?gz|bz2|xz|zst|zip|7z|rar)$`,
        'backups',
        'Omit extensions that the site offers for download.',
      ),
    },
    references: ['https://cwe.mitre.org/data/definitions/530.html'],
    safeguards: [open],
  },
  sourceCopy: {
    id: 'exposure.source_copy',
    title: 'Source code can be downloaded',
    severity: 'high',
    revisited: true,
    why: 'A server runs `index.php`, but sends `index.php~` as text: editors and people leave such copies, which contain the code and often its passwords.',
    fix: {
      advice:
        'Delete the copies, edit files elsewhere and deploy them, and block names of copies. Change every secret that the code contains.',
      steps: notFound(String.raw`(?:~|\.(?:bak|old|orig|save|sw[op]|inc))$`, 'copies'),
    },
    references: ['https://cwe.mitre.org/data/definitions/530.html', cwe538],
    safeguards: [open],
  },
  shellHistory: {
    id: 'exposure.shell_history',
    title: 'The history of a shell can be downloaded',
    severity: 'high',
    revisited: true,
    why: 'It shows commands with hosts, paths and often passwords.',
    fix: {
      advice:
        'Delete the file, and do not serve a home directory. Change every password that was typed in a command.',
      steps: hideDotFiles,
    },
    references: [cwe538],
    safeguards: [open],
  },
  logFile: {
    id: 'exposure.log_file',
    title: 'A log file can be downloaded',
    severity: 'medium',
    revisited: true,
    why: 'Logs contain addresses of visitors, URLs with tokens, names of users, and errors with internals of the application.',
    fix: {
      advice: 'Write logs outside the document root, delete the public ones, and block them by extension.',
      steps: notFound(String.raw`(?:\.log|/error_log)$`, 'logs'),
    },
    references: ['https://cwe.mitre.org/data/definitions/532.html', cwe538],
    safeguards: [open],
  },
  developmentFile: {
    id: 'exposure.development_file',
    title: 'Files of development or deployment can be downloaded',
    severity: 'low',
    revisited: true,
    why: 'They list exact versions of components, internal hosts and how the application is deployed.',
    fix: {
      advice: 'Deploy only what the site serves: build to a separate folder, and serve that one.',
      steps: notFound(
        '/(?:package(?:-lock)?\\.json|composer\\.(?:json|lock)|Gemfile|Dockerfile|web\\.config)$',
        'development',
      ),
    },
    references: [cwe538],
    safeguards: [],
  },
  actuator: {
    id: 'exposure.actuator',
    title: 'Spring Boot Actuator is public',
    severity: 'high',
    revisited: true,
    why: 'The env and heapdump endpoints expose settings and process memory, including passwords and sessions.',
    fix: {
      advice:
        'Expose only the health endpoint, move the others to a port that is not public, and require authentication. Change every secret that may have been read.',
      steps: [
        { place: 'spring.properties', code: 'management.endpoints.web.exposure.include=health' },
        ...notFound('^/actuator(?:/|$)', 'actuator'),
      ],
    },
    references: [
      'https://docs.spring.io/spring-boot/reference/actuator/endpoints.html#actuator.endpoints.security',
      cwe200,
    ],
    safeguards: [open],
  },
  serverStatus: {
    id: 'exposure.server_status',
    title: 'The web server’s status page is public',
    severity: 'medium',
    revisited: true,
    why: 'The pages of Apache and PHP-FPM show what visitors request, including tokens and names in URLs. The page of nginx shows how busy the server is.',
    fix: {
      advice:
        'Allow only the addresses of your monitoring. Behind a proxy on the same machine, every request comes from 127.0.0.1: do not allow that address, or block the path at the proxy.',
      steps: [
        {
          place: 'nginx.server',
          code: [
            'location = /nginx_status {',
            '  stub_status;',
            '  allow 192.0.2.10;',
            '  deny all;',
            '}',
          ].join('\n'),
          replace: { '192.0.2.10': 'the address of your monitoring' },
          note: 'Replaces the existing location.',
        },
        {
          place: 'apache.host',
          code: [
            '<Location "/server-status">',
            '  SetHandler server-status',
            '  Require ip 192.0.2.10',
            '</Location>',
          ].join('\n'),
          replace: { '192.0.2.10': 'the address of your monitoring' },
          note: 'Replaces the existing block.',
        },
      ],
    },
    references: ['https://httpd.apache.org/docs/2.4/mod/mod_status.html', cwe200],
    safeguards: [open],
  },
  phpinfo: {
    id: 'exposure.phpinfo',
    title: 'A phpinfo page is public',
    severity: 'medium',
    revisited: true,
    why: 'It lists versions, paths, settings and environment variables, which often contain passwords.',
    fix: {
      advice: 'Delete the file. To see the settings, run `php -i` on the server.',
      steps: [
        {
          place: 'shell',
          code: "grep -rl --include='*.php' 'phpinfo(' /var/www/html",
          replace: { '/var/www/html': 'the site’s document root' },
          note: 'Lists the files that call it.',
        },
        { place: 'php.ini', code: 'disable_functions = phpinfo', note: 'Append to the existing list.' },
        ...notFound('/(?:phpinfo|info)\\.php$', 'phpinfo'),
      ],
    },
    references: ['https://www.php.net/manual/function.phpinfo.php', cwe200],
    safeguards: [open],
  },
  directoryIndexFile: {
    id: 'exposure.ds_store',
    title: 'A .DS_Store file lists the folder’s contents',
    severity: 'low',
    revisited: true,
    why: 'macOS writes the names of all files in a folder to it, including files that no page links to.',
    fix: {
      advice:
        'Delete the file, exclude it from deployment with `.gitignore` and `.dockerignore`, and block names that start with a dot.',
      steps: hideDotFiles,
    },
    references: [cwe538],
    safeguards: [],
  },
  crossDomainPolicy: {
    id: 'exposure.crossdomain',
    title: 'crossdomain.xml allows every domain',
    severity: 'low',
    revisited: true,
    why: 'PDF readers and remaining Flash clients honor the file. With a wildcard, documents from any site can read responses with the visitor’s session.',
    fix: {
      advice: 'Delete the file, or list the domains that need access instead of `domain="*"`.',
      steps: notFound('^/crossdomain\\.xml$', 'crossdomain'),
    },
    references: ['https://www.adobe.com/devnet-docs/acrobatetk/tools/AppSec/xdomain.html'],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'Documents from any website can read responses with the visitor’s session.',
      ),
    ],
  },
  sourceMap: {
    id: 'exposure.source_map',
    title: 'Source maps of the scripts are public',
    severity: 'low',
    why: 'Source maps restore the readable source code with comments and internal addresses, which makes vulnerabilities easier to find.',
    fix: {
      advice:
        'Build hidden source maps, upload them to your error tracker and do not deploy them. Block the files that are already public.',
      steps: [
        {
          place: 'webpack.config',
          code: "module.exports = {\n  devtool: 'hidden-source-map',\n};",
          note: 'Add the option to your configuration.',
        },
        {
          place: 'vite.config',
          code: [
            "import { defineConfig } from 'vite';",
            '',
            'export default defineConfig({',
            "  build: { sourcemap: 'hidden' },",
            '});',
          ].join('\n'),
          note: 'Add the option to your configuration.',
        },
        ...notFound('\\.map$', 'maps'),
      ],
    },
    references: ['https://tc39.es/ecma426/', 'https://cwe.mitre.org/data/definitions/540.html'],
    safeguards: [],
  },
  graphql: {
    id: 'exposure.graphql_introspection',
    title: 'GraphQL introspection is enabled',
    severity: 'info',
    revisited: true,
    why: 'Anyone can read the full schema, including operations that no page uses.',
    fix: {
      advice:
        'Disable introspection in production. Also check that each resolver enforces access: a hidden schema is no protection.',
      steps: [
        {
          place: 'node.file',
          code: [
            "const { ApolloServer } = require('@apollo/server');",
            '',
            'const server = new ApolloServer({',
            '  typeDefs,',
            '  resolvers,',
            '  introspection: false,',
            '});',
          ].join('\n'),
          note: 'For Apollo Server; `typeDefs` and `resolvers` are yours.',
        },
        { place: 'spring.properties', code: 'spring.graphql.schema.introspection.enabled=false' },
      ],
    },
    references: [
      'https://graphql.org/learn/introspection/',
      'https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html',
    ],
    safeguards: [],
  },
  apiDocumentation: {
    id: 'exposure.api_documentation',
    title: 'API documentation is public',
    severity: 'info',
    revisited: true,
    why: 'The documentation of an internal API shows attackers what to try.',
    fix: {
      advice:
        'If the API is internal, require a login for its documentation or remove it from production. If it is meant to be public, accept this finding.',
      steps: [
        {
          place: 'spring.properties',
          code: 'springdoc.api-docs.enabled=false\nspringdoc.swagger-ui.enabled=false',
        },
        ...notFound('^/(?:swagger-ui/|swagger\\.json|openapi\\.json|v3/api-docs)', 'apidocs'),
      ],
    },
    references: ['https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html'],
    safeguards: [],
  },
  securityTxt: {
    id: 'exposure.security_txt_missing',
    title: 'No security.txt',
    severity: 'info',
    why: 'Researchers who find a vulnerability need a contact. Without one, they may give up or publish it.',
    fix: {
      advice:
        'Publish `/.well-known/security.txt` with a `Contact` and an `Expires` date within a year, and renew it before then.',
      steps: [
        {
          place: 'shell',
          code: [
            'cd /var/www/html',
            'mkdir -p .well-known',
            'cat > .well-known/security.txt <<END',
            'Contact: mailto:security@example.com',
            "Expires: $(date -u -d '+11 months' +%Y-%m-%dT%H:%M:%SZ)",
            'END',
          ].join('\n'),
          replace: { '/var/www/html': 'the site’s document root', 'security@example.com': 'your contact' },
        },
      ],
    },
    references: ['https://www.rfc-editor.org/rfc/rfc9116', 'https://securitytxt.org/'],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
