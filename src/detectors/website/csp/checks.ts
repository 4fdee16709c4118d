import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';
import { setHeader } from '../../remediation/headers.ts';
import type { Step } from '../../remediation/step.ts';

const unrestrained = lowers(
  safeguards.integrity,
  'An injected script can change anything that the visitor’s session can change, and the policy does not stop it.',
);

const mdn = 'https://developer.mozilla.org/docs/Web/HTTP/Guides/CSP';
const strict = 'https://web.dev/articles/strict-csp';
const w3 = 'https://www.w3.org/TR/CSP3/';

const ownContentOnly =
  "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** A policy that allows the site's own content only. */
const sendPolicy = setHeader('Content-Security-Policy', ownContentOnly, {
  note: 'Replace the policy that the site sends now, if any, and add the hosts that the site needs.',
});

const nonces: Step = {
  place: 'express.app',
  code: [
    "const { randomBytes } = require('node:crypto');",
    '',
    'app.use((req, res, next) => {',
    "  res.locals.nonce = randomBytes(16).toString('base64');",
    "  res.set('Content-Security-Policy', [",
    `    "script-src 'nonce-" + res.locals.nonce + "' 'strict-dynamic'",`,
    `    "object-src 'none'",`,
    `    "base-uri 'none'",`,
    `    "form-action 'self'",`,
    `    "frame-ancestors 'none'",`,
    "  ].join('; '));",
    '  next();',
    '});',
  ].join('\n'),
  note: 'Give each script tag of your templates `nonce="<%= nonce %>"`.',
};

/** Policies for pages with their own scripts only, with nonces for pages rendered by an application. */
const sendStrictPolicy = [...sendPolicy.filter(({ place }) => place !== nonces.place), nonces];
const useNonces =
  'Best, generate a random nonce for each response, add it to the policy and to each of your script tags, and move inline event handlers into script files.';

export const cspChecks = {
  missing: {
    id: 'csp.missing',
    title: 'No Content-Security-Policy',
    severity: 'medium',
    why: 'If an attacker injects markup into a page, the browser runs its scripts with the site’s rights.',
    fix: {
      advice:
        'Start with a strict policy and relax it where the site needs more. Send it as Content-Security-Policy-Report-Only first to find what it would block.',
      steps: sendPolicy,
    },
    references: [mdn, strict, w3],
    safeguards: [unrestrained],
  },
  reportOnly: {
    id: 'csp.report_only',
    title: 'The Content-Security-Policy only reports violations',
    severity: 'low',
    why: 'Browsers report violations of a report-only policy but do not block them.',
    fix: {
      advice:
        'When the reports no longer show your own content, send the policy in the header Content-Security-Policy.',
      steps: sendPolicy,
    },
    references: [`${w3}#cspro-header`, mdn],
    safeguards: [unrestrained],
  },
  unsafeInline: {
    id: 'csp.unsafe_inline',
    title: 'The policy allows inline scripts',
    severity: 'medium',
    why: "With 'unsafe-inline', any injected script tag or event handler runs, which is what the policy should prevent.",
    fix: {
      advice: `Remove \`'unsafe-inline'\` from the script directive. ${useNonces}`,
      steps: sendStrictPolicy,
    },
    references: [strict, `${w3}#strict-csp`],
    safeguards: [unrestrained],
  },
  unsafeEval: {
    id: 'csp.unsafe_eval',
    title: 'The policy allows eval',
    severity: 'medium',
    why: "With 'unsafe-eval', text that reaches eval, new Function or a timer runs as a script.",
    fix: {
      advice:
        "Remove `'unsafe-eval'` and replace libraries that require it, such as templates compiled in the browser. WebAssembly only needs `'wasm-unsafe-eval'`.",
      steps: sendStrictPolicy,
    },
    references: [`${w3}#directive-script-src`, mdn],
    safeguards: [unrestrained],
  },
  broadSource: {
    id: 'csp.broad_source',
    title: 'The policy allows scripts from almost anywhere',
    severity: 'medium',
    why: 'A wildcard, a bare scheme or an http: source lets an attacker load a script from their own server or change one in transit.',
    fix: {
      advice: `Replace the source with the exact https:// hosts that the site needs. ${useNonces}`,
      steps: sendStrictPolicy,
    },
    references: [strict, `${w3}#framework-directive-source-list`],
    safeguards: [unrestrained],
  },
  bypassHost: {
    id: 'csp.bypass_host',
    title: 'The policy trusts a host that allows bypasses',
    severity: 'medium',
    why: 'The host also serves JSONP endpoints, old frameworks or files that anyone can upload. Injected markup can use these to run any script.',
    fix: {
      advice: `Remove the host, or allow the exact file with its full path. ${useNonces}`,
      steps: sendStrictPolicy,
    },
    references: [strict, 'https://research.google/pubs/pub45542/'],
    safeguards: [unrestrained],
  },
  nonceReused: {
    id: 'csp.nonce_reused',
    title: 'Responses have the same nonce',
    severity: 'medium',
    why: 'A nonce protects only if it cannot be predicted. An attacker who has read one response can add it to an injected script.',
    fix: {
      advice:
        'Generate a random nonce for each response, and store no page with a nonce in a cache. For cached and static pages, use hashes instead.',
      steps: [nonces],
    },
    references: [`${w3}#security-nonces`, strict],
    safeguards: [unrestrained],
  },
  missingDirective: {
    id: 'csp.missing_directive',
    title: 'The policy omits a directive that has no safe default',
    severity: 'medium',
    why: 'base-uri, form-action and frame-ancestors do not fall back to default-src. Without them, an attacker can redirect relative scripts, collect form entries or frame the page.',
    fix: {
      advice:
        'Add the missing directive. `frame-ancestors` works only in the header, not in a meta element. List the sites that may embed this one in it, if any.',
      steps: sendPolicy,
    },
    references: [`${w3}#directives`, mdn],
    safeguards: [unrestrained],
  },
  invalid: {
    id: 'csp.invalid',
    title: 'The policy contains parts that browsers ignore',
    severity: 'info',
    why: 'An unknown directive, a missing semicolon, a misspelled keyword or a repeated directive has no effect, so the policy does not do what its author intended.',
    fix: {
      advice:
        "Correct the spelling, separate directives with semicolons, quote keywords such as `'self'`, and write each directive once: only the first counts.",
    },
    references: [`${w3}#parse-serialized-policy`, mdn],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
