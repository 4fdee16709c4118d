import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { notFound } from '../../remediation/not-found.ts';

const open = lowers(
  safeguards.accessControl,
  'Anyone can use what only authorized people and programs should be able to use.',
);

const cwe200 = 'https://cwe.mitre.org/data/definitions/200.html';
const cwe306 = 'https://cwe.mitre.org/data/definitions/306.html';
const cwe489 = 'https://cwe.mitre.org/data/definitions/489.html';
const adminInterfaces =
  'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/05-Enumerate_Infrastructure_and_Application_Admin_Interfaces';

export const softwareChecks = {
  installer: {
    id: 'exposure.installer',
    title: 'An unfinished installer is public',
    severity: 'critical',
    revisited: true,
    why: 'The first visitor who completes the installation becomes the administrator, and can usually run code on the server.',
    fix: {
      advice:
        'Complete the installation now, or remove the application. Check that no account or file appeared that you did not create. Delete the installer where its documentation says so, or block its path.',
      steps: notFound('/(?:install|installation|setup|mw-config)(?:\\.php|/|$)', 'installer'),
    },
    references: [cwe306, adminInterfaces],
    safeguards: [open],
  },
  databaseConsole: {
    id: 'exposure.database_console',
    title: 'A database or its console is public',
    severity: 'high',
    revisited: true,
    why: 'Without a login, anyone can read and change the data. With one, a guessed or leaked password is enough.',
    fix: {
      advice:
        'Remove the console from the public site. Administer databases over SSH or a VPN, and let databases listen on private addresses only. If there was no login, treat the data as disclosed, and check it for changes.',
      steps: notFound(
        '^/(?:phpmyadmin|pma|adminer\\.php|h2-console|pgadmin4|_utils|_cat)(?:/|$)',
        'consoles',
      ),
    },
    references: [cwe306, adminInterfaces],
    safeguards: [open],
  },
  adminConsole: {
    id: 'exposure.admin_console',
    title: 'An administration console is public',
    severity: 'high',
    revisited: true,
    why: 'Such programs deploy code, run jobs or change routes. Without a login, anyone can; with one, a guessed password or the next vulnerability of the program is enough.',
    fix: {
      advice:
        'Require a login, and make the console reachable only over a VPN or from the addresses of administrators.',
      steps: notFound(
        '^/(?:manager|host-manager|jolokia|sidekiq|horizon|hangfire|admin/queues)(?:/|$)',
        'admin',
      ),
    },
    references: [cwe306, adminInterfaces],
    safeguards: [open],
  },
  metrics: {
    id: 'exposure.metrics',
    title: 'Metrics or monitoring pages are public',
    severity: 'medium',
    revisited: true,
    why: 'They show internal names, addresses, versions and how the service is used, which helps to plan an attack.',
    fix: {
      advice: 'Serve metrics on a port that is not public, or allow only the addresses of your monitoring.',
      steps: notFound('^/(?:metrics|debug/vars)$', 'metrics'),
    },
    references: ['https://prometheus.io/docs/operating/security/', cwe200],
    safeguards: [open],
  },
  debugger: {
    id: 'exposure.debugger',
    title: 'A development tool is public',
    severity: 'medium',
    revisited: true,
    why: 'Profilers and debug pages show requests, sessions, settings and source code. Some run code for anyone.',
    fix: {
      advice:
        'Turn off debug mode, do not deploy development tools, and do not run development servers in production. Change every secret that the pages may have shown.',
      steps: notFound(
        '^/(?:_profiler|telescope|debug/pprof|rails/info|elmah\\.axd|trace\\.axd)(?:/|$)',
        'debug',
      ),
    },
    references: [cwe489, 'https://cwe.mitre.org/data/definitions/215.html'],
    safeguards: [open],
  },
  defaultPage: {
    id: 'exposure.default_page',
    title: 'The site is the default page of a server or framework',
    severity: 'info',
    why: 'Nothing was set up here, so the server is probably not maintained either.',
    fix: { advice: 'Publish the site, or remove the server and its DNS record.' },
    references: ['https://cwe.mitre.org/data/definitions/1188.html'],
    safeguards: [],
  },
  userList: {
    id: 'exposure.user_list',
    title: 'A list of user accounts is public',
    severity: 'low',
    revisited: true,
    why: 'With the usernames, only passwords remain to be guessed, and people can be addressed by name in phishing.',
    fix: {
      advice:
        'Require a login for the list. In WordPress, block the REST route for visitors, and use display names that differ from usernames.',
      steps: notFound('^/wp-json/wp/v2/users(?:/|$)', 'users'),
    },
    references: ['https://cwe.mitre.org/data/definitions/204.html', cwe200],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'Visitors learn the names of accounts, which helps to guess passwords.',
      ),
    ],
  },
  xmlRpc: {
    id: 'exposure.xml_rpc',
    title: 'WordPress’s XML-RPC interface is public',
    severity: 'low',
    revisited: true,
    why: 'One request can try hundreds of passwords, past most limits on sign-ins, and pingbacks make the server send requests to others.',
    fix: {
      advice: 'Block `xmlrpc.php`, unless a mobile app or Jetpack needs it; then allow only their addresses.',
      steps: notFound('^/xmlrpc\\.php$', 'xmlrpc'),
    },
    references: ['https://developer.wordpress.org/advanced-administration/security/brute-force/'],
    safeguards: [lowers(safeguards.authentication, 'Passwords can be guessed past the limits on sign-ins.')],
  },
  versionShown: {
    id: 'exposure.version_shown',
    title: 'The site shows the exact version of its software',
    severity: 'info',
    revisited: true,
    why: 'Attackers search for sites with versions that have known vulnerabilities.',
    fix: {
      advice:
        'Remove the generator tag and the version files. This hides the version only from simple searches: updates are what protects.',
    },
    references: [cwe200],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
