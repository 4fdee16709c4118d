import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const unrestrained = lowers(
  safeguards.integrity,
  'An injected script can change what the visitor’s session may change, and the policy does not stop it.',
);

const mdn = 'https://developer.mozilla.org/docs/Web/HTTP/Guides/CSP';
const strict = 'https://web.dev/articles/strict-csp';
const w3 = 'https://www.w3.org/TR/CSP3/';
const nonce =
  "Give each response a fresh random nonce and each script tag of yours the same one: `script-src 'nonce-…' 'strict-dynamic'`. Move inline event handlers into script files.";

export const cspChecks = {
  missing: {
    id: 'csp.missing',
    title: 'No Content-Security-Policy',
    severity: 'medium',
    why: 'If an attacker gets markup into a page, nothing keeps the browser from running it as a script of the site.',
    fix: {
      advice:
        "Start from a strict policy and loosen it where the site needs it: `default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`. nginx: `add_header Content-Security-Policy \"…\" always;` Apache: `Header always set Content-Security-Policy \"…\"` Caddy: `header Content-Security-Policy \"…\"` Express: `app.use(helmet())`. Try it as Content-Security-Policy-Report-Only first.",
    },
    references: [mdn, strict, w3],
    safeguards: [unrestrained],
  },
  reportOnly: {
    id: 'csp.report_only',
    title: 'The Content-Security-Policy only reports',
    severity: 'low',
    why: 'Browsers report what breaks a report-only policy and run it all the same.',
    fix: {
      advice:
        'When the reports show nothing of your own any more, send the same value in the header Content-Security-Policy.',
    },
    references: [`${w3}#cspro-header`, mdn],
    safeguards: [unrestrained],
  },
  unsafeInline: {
    id: 'csp.unsafe_inline',
    title: 'The policy allows inline scripts',
    severity: 'medium',
    why: "With 'unsafe-inline' any injected script tag or event handler runs, which is what the policy is meant to stop.",
    fix: { advice: `Remove 'unsafe-inline' from the directive for scripts. ${nonce}` },
    references: [strict, `${w3}#strict-csp`],
    safeguards: [unrestrained],
  },
  unsafeEval: {
    id: 'csp.unsafe_eval',
    title: 'The policy allows eval',
    severity: 'medium',
    why: "With 'unsafe-eval' text that reaches eval, new Function or a timer becomes a script.",
    fix: {
      advice:
        "Remove 'unsafe-eval', and replace libraries that need it, such as templates that are compiled in the browser. WebAssembly needs only 'wasm-unsafe-eval'.",
    },
    references: [`${w3}#directive-script-src`, mdn],
    safeguards: [unrestrained],
  },
  broadSource: {
    id: 'csp.broad_source',
    title: 'The policy allows scripts from nearly anywhere',
    severity: 'medium',
    why: 'A wildcard, a bare scheme or an http: source lets an attacker load a script from a server of their own or change one on the way.',
    fix: {
      advice: `Replace the source with the exact https:// hosts that are needed, or better, do without a list of hosts. ${nonce}`,
    },
    references: [strict, `${w3}#framework-directive-source-list`],
    safeguards: [unrestrained],
  },
  bypassHost: {
    id: 'csp.bypass_host',
    title: 'The policy trusts a host that serves ways around it',
    severity: 'medium',
    why: 'The host also serves JSONP endpoints, old framework versions or whatever anybody uploads, with which injected markup can run any script.',
    fix: { advice: `Remove the host, or name the exact file with its full path. ${nonce}` },
    references: [strict, 'https://research.google/pubs/pub45542/'],
    safeguards: [unrestrained],
  },
  missingDirective: {
    id: 'csp.missing_directive',
    title: 'The policy leaves out a directive that has no safe default',
    severity: 'medium',
    why: 'base-uri, form-action and frame-ancestors do not fall back to default-src: without them an attacker may redirect relative scripts, collect form entries or frame the page.',
    fix: {
      advice:
        "Add what is named: `base-uri 'none'` (or 'self'), `form-action 'self'`, `frame-ancestors 'none'` (or the sites that may embed this one), `object-src 'none'`, and a `script-src` or `default-src`. frame-ancestors works in the header only, not in a meta element.",
    },
    references: [`${w3}#directives`, mdn],
    safeguards: [unrestrained],
  },
  invalid: {
    id: 'csp.invalid',
    title: 'The policy contains something that browsers ignore',
    severity: 'info',
    why: 'An unknown directive, a missing semicolon, a misspelled keyword or a repeated directive has no effect, so the policy is not what its author meant.',
    fix: {
      advice:
        "Correct the spelling, separate directives by semicolons, quote keywords ('self', 'none'), and write each directive once: only the first counts.",
    },
    references: [`${w3}#parse-serialized-policy`, mdn],
    safeguards: [],
  },
} as const satisfies Record<string, Check>;
