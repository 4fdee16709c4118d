import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

export const reflectionChecks = {
  markup: {
    id: 'reflection.parameter_as_markup',
    title: 'A query parameter is inserted into the page as markup',
    severity: 'high',
    why: 'A link to the site can contain a script in this parameter. It runs with the rights of anyone who follows the link, reads what they see and acts in their name (cross-site scripting).',
    fix: {
      advice:
        'Encode request values for the context where they are inserted: text, attribute or script. Use your template engine’s escaping and do not disable it: `<%= %>` instead of `<%- %>` in EJS, autoescape in Jinja2, `{{ }}` instead of `{!! !!}` in Blade, no `dangerouslySetInnerHTML` in React, `<c:out>` in JSP. Pass values to scripts in data attributes. A Content-Security-Policy without `unsafe-inline` limits the damage.',
      steps: [
        {
          place: 'express.app',
          code: [
            'const escapeHtml = text =>',
            `  String(text).replace(/[&<>"']/g, character => '&#' + character.charCodeAt(0) + ';');`,
            '',
            "app.get('/search', (req, res) => {",
            "  res.type('html').send('<p>Results for ' + escapeHtml(req.query.q ?? '') + '</p>');",
            '});',
          ].join('\n'),
          replace: { '/search': 'the page’s path', q: 'the parameter' },
        },
        {
          place: 'php.code',
          code: "<p>Results for <?= htmlspecialchars($_GET['q'] ?? '', ENT_QUOTES) ?></p>",
          replace: { q: 'the parameter' },
        },
        {
          place: 'flask.code',
          code: [
            'from flask import Flask, render_template_string, request',
            '',
            'app = Flask(__name__)',
            '',
            '',
            '@app.get("/search")',
            'def search():',
            '    return render_template_string("<p>Results for {{ q }}</p>", q=request.args.get("q", ""))',
          ].join('\n'),
          replace: { '/search': 'the page’s path', q: 'the parameter' },
        },
      ],
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
