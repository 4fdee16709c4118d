import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

export const reflectionChecks = {
  markup: {
    id: 'reflection.parameter_as_markup',
    title: 'A query parameter comes back as markup of the page',
    severity: 'high',
    why: 'A link to the site can carry a script in this parameter that runs with the rights of whoever follows it: it reads what they see and acts in their name.',
    fix: {
      advice:
        'Encode what comes from a request where it is written into HTML, for the place where it stands: text, attribute or script. Use the escaping of the template engine and do not switch it off: EJS `<%= %>` not `<%- %>`, Jinja2 autoescape, Blade `{{ }}` not `{!! !!}`, React without dangerouslySetInnerHTML, PHP `htmlspecialchars($value, ENT_QUOTES)`, JSP `<c:out>`. Put values into scripts through a data attribute or JSON with `<` written as \\u003c. A Content-Security-Policy without unsafe-inline limits the damage.',
    },
    references: [
      'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
      'https://cwe.mitre.org/data/definitions/79.html',
    ],
    safeguards: [
      lowers(
        safeguards.accessControl,
        'A crafted link can run a script with the access of the person who opens it.',
      ),
      lowers(safeguards.integrity, 'That script can change the data that this person may change.'),
    ],
  },
} satisfies Record<string, Check>;
