import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const access = lowers(
  safeguards.accessControl,
  'The text of a parameter decides which data a program reads.',
);

export const injectionChecks = {
  sql: {
    id: 'injection.sql',
    title: 'A parameter becomes part of an SQL statement',
    severity: 'critical',
    revisited: true,
    why: 'Quotes in the parameter reach the database as part of the statement, so that anyone can read or change all data that the application can.',
    fix: {
      advice:
        'Pass values as parameters of prepared statements, never as part of their text. Find all statements that are built from text, not only this one. Show visitors an error page without the database’s message.',
    },
    references: [
      'https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html',
      'https://cwe.mitre.org/data/definitions/89.html',
    ],
    safeguards: [access],
  },
  template: {
    id: 'injection.template',
    title: 'A parameter is executed as part of a template',
    severity: 'critical',
    revisited: true,
    why: 'The server or page calculated what was sent in the parameter. In most template languages, that leads to running any code.',
    fix: {
      advice:
        'Give values to templates as data, and never build a template’s text from a request. Where people write templates themselves, use a language without access to code.',
    },
    references: [
      'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/18-Testing_for_Server-side_Template_Injection',
      'https://cwe.mitre.org/data/definitions/1336.html',
    ],
    safeguards: [access],
  },
  fileInclusion: {
    id: 'injection.file_path',
    title: 'A parameter opens files of the server',
    severity: 'critical',
    revisited: true,
    why: 'Anyone can read files that the application can, such as its settings with passwords.',
    fix: {
      advice:
        'Let the parameter select from a list of known names. If it must be a path, resolve it and refuse what is outside the folder.',
    },
    references: [
      'https://owasp.org/www-community/attacks/Path_Traversal',
      'https://cwe.mitre.org/data/definitions/22.html',
    ],
    safeguards: [access],
  },
  openRedirect: {
    id: 'injection.open_redirect',
    title: 'A parameter redirects visitors to any site',
    severity: 'medium',
    revisited: true,
    why: 'A link to this site leads to one of an attacker, which makes phishing believable, and can leak the tokens of a sign-in.',
    fix: {
      advice:
        'Accept only paths of the site, or names from a list. Compare the parsed URL’s origin, not the beginning of its text.',
    },
    references: [
      'https://cheatsheetseries.owasp.org/cheatsheets/Unvalidated_Redirects_and_Forwards_Cheat_Sheet.html',
      'https://cwe.mitre.org/data/definitions/601.html',
    ],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
