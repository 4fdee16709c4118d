import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const open = lowers(
  safeguards.accessControl,
  'Anyone can fetch what only authorized people and programs should be able to read.',
);

const hideDotFiles =
  'nginx: `location ~ /\\.(?!well-known/) { return 404; }` Apache: `RedirectMatch 404 "/\\.(?!well-known/)"` Caddy: `file_server { hide .git .env* .ht* }` Express: serve-static with `dotfiles: "ignore"` (its default), from a folder that holds public files only.';
const cwe538 = 'https://cwe.mitre.org/data/definitions/538.html';
const cwe200 = 'https://cwe.mitre.org/data/definitions/200.html';

export const exposureChecks = {
  versionControl: {
    id: 'exposure.version_control',
    title: 'The repository of the source code can be downloaded',
    severity: 'high',
    revisited: true,
    why: 'From a .git, .svn or .hg folder anyone can rebuild the source code with its history, and with it passwords that were ever committed.',
    fix: {
      advice: `Deploy without the folder (build an artifact instead of a checkout), block it, and change every secret that was ever in the history. ${hideDotFiles}`,
    },
    references: ['https://cwe.mitre.org/data/definitions/527.html'],
    safeguards: [open],
  },
  secretsFile: {
    id: 'exposure.secrets_file',
    title: 'A file with secrets can be downloaded',
    severity: 'critical',
    revisited: true,
    why: 'Whoever fetches it holds the passwords and keys of databases and services, and may already do so.',
    fix: {
      advice: `Remove the file from the document root now, change every secret in it, and look through the access logs for who fetched it. Keep such files outside of what the web server serves. ${hideDotFiles}`,
    },
    references: [cwe538, 'https://cwe.mitre.org/data/definitions/522.html'],
    safeguards: [
      open,
      lowers(
        safeguards.passwordManagement,
        'Files of this kind hold passwords, and anyone can download this one.',
      ),
    ],
  },
  backup: {
    id: 'exposure.backup',
    title: 'A backup or database dump can be downloaded',
    severity: 'high',
    revisited: true,
    why: 'A copy of the application or its data gives everything away at once, without any log-in.',
    fix: {
      advice:
        'Remove the file, keep backups outside of the document root in storage with its own access control, and look through the access logs. If it held personal data, treat it as an incident. nginx: `location ~ \\.(sql|zip|tar\\.gz|sqlite3|bak)$ { return 404; }`',
    },
    references: ['https://cwe.mitre.org/data/definitions/530.html'],
    safeguards: [open],
  },
  actuator: {
    id: 'exposure.actuator',
    title: 'Spring Boot Actuator is open to everyone',
    severity: 'high',
    revisited: true,
    why: 'The env and heapdump endpoints give out settings and the memory of the process, passwords and sessions included.',
    fix: {
      advice:
        'Expose health only: `management.endpoints.web.exposure.include=health`, put the rest on its own port (`management.server.port`) that is not public, and require a log-in. Change secrets that may have been read.',
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
    why: 'Apache’s and PHP-FPM’s show what visitors request, with tokens and names in the URLs; nginx’s tells how busy the server is.',
    fix: {
      advice:
        'Apache: `<Location /server-status> Require local </Location>` nginx: `location = /nginx_status { stub_status; allow 127.0.0.1; deny all; }`. Behind a proxy on the same machine every request looks local: block the path there as well.',
    },
    references: ['https://httpd.apache.org/docs/2.4/mod/mod_status.html', cwe200],
    safeguards: [open],
  },
  phpinfo: {
    id: 'exposure.phpinfo',
    title: 'A phpinfo page is public',
    severity: 'medium',
    revisited: true,
    why: 'It lists versions, paths, settings and environment variables, which often hold passwords.',
    fix: { advice: 'Delete the file. To look at settings, use `php -i` on the server.' },
    references: ['https://www.php.net/manual/function.phpinfo.php', cwe200],
    safeguards: [open],
  },
  directoryIndexFile: {
    id: 'exposure.ds_store',
    title: 'A .DS_Store file lists the folder’s content',
    severity: 'low',
    revisited: true,
    why: 'macOS writes the names of all files of a folder into it, also of those that no page links to.',
    fix: {
      advice: `Delete the file, exclude it from deployment (\`.gitignore\`, \`.dockerignore\`), and block dot files. ${hideDotFiles}`,
    },
    references: [cwe538],
    safeguards: [],
  },
  crossDomainPolicy: {
    id: 'exposure.crossdomain',
    title: 'crossdomain.xml permits every domain',
    severity: 'low',
    revisited: true,
    why: 'PDF and remaining Flash clients honour the file: with a wildcard, documents of any site may read answers with the visitor’s log-in.',
    fix: { advice: 'Delete crossdomain.xml, or name the domains that need it instead of `domain="*"`.' },
    references: ['https://www.adobe.com/devnet-docs/acrobatetk/tools/AppSec/xdomain.html'],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'Documents of any website may read answers with the visitor’s session.',
      ),
    ],
  },
  sourceMap: {
    id: 'exposure.source_map',
    title: 'Source maps of the scripts are public',
    severity: 'low',
    why: 'They give back the readable source with comments and internal addresses, which makes finding flaws easier.',
    fix: {
      advice:
        'Build without public maps (webpack: `devtool: "hidden-source-map"`, Vite: `build.sourcemap: "hidden"`) and upload the maps to the error tracker instead. nginx: `location ~ \\.map$ { return 404; }`',
    },
    references: ['https://tc39.es/ecma426/', 'https://cwe.mitre.org/data/definitions/540.html'],
    safeguards: [],
  },
  graphql: {
    id: 'exposure.graphql_introspection',
    title: 'GraphQL introspection is open',
    severity: 'info',
    revisited: true,
    why: 'Anyone can read the full schema, with operations that no page uses.',
    fix: {
      advice:
        'Turn introspection off in production (Apollo Server: `introspection: false`), and check that each resolver verifies access, since hiding the schema protects nothing by itself.',
    },
    references: [
      'https://graphql.org/learn/introspection/',
      'https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html',
    ],
    safeguards: [],
  },
  apiDocumentation: {
    id: 'exposure.api_documentation',
    title: 'Documentation of an API is public',
    severity: 'info',
    revisited: true,
    why: 'If the API is not meant for the public, its description is a map of what to try.',
    fix: {
      advice:
        'If the API is internal, require a log-in for its documentation or leave it out in production. If it is meant to be public, accept this finding.',
    },
    references: ['https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html'],
    safeguards: [],
  },
  securityTxt: {
    id: 'exposure.security_txt_missing',
    title: 'No security.txt says where to report a flaw',
    severity: 'info',
    why: 'Those who find a flaw need to know whom to tell; without a contact they give up or tell the public.',
    fix: {
      advice:
        'Serve `/.well-known/security.txt` over HTTPS as text/plain with at least `Contact: mailto:security@example.com` and an `Expires:` date within a year.',
    },
    references: ['https://www.rfc-editor.org/rfc/rfc9116', 'https://securitytxt.org/'],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
