import type { Family } from '../case.ts';
import { type Fields, headerCases } from '../headers/material.ts';
import { cspEvaluator } from '../specialists/csp-evaluator.ts';
import { observatory } from '../specialists/observatory.ts';

/** A policy, several fields, or all headers. */
type Policy = string | readonly string[] | Fields;

type Row = readonly [name: string, policy: Policy, flaws: string | readonly string[] | null, head?: string];

const isPolicy = (policy: Policy) => typeof policy === 'string' || Array.isArray(policy);

const cases = (rows: readonly Row[]) =>
  headerCases(
    rows.map(([name, policy, ...more]) => [
      name,
      (isPolicy(policy) ? { 'content-security-policy': policy } : policy) as Fields,
      ...more,
    ]),
    // A page has no restriction of framing where its policy has none.
    ['headers.framing_unrestricted'],
  );

const rest = "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const scripts = (sources: string) => `script-src ${sources}; ${rest}`;
const none = { 'content-security-policy': undefined };
const reporting = (policy: string) => ({ ...none, 'content-security-policy-report-only': policy });
const meta = (policy: string) => `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
const hash = "'sha256-hqBEA/HXB3aJU2FgOnYN8rkAgEVgyfi3Vs1j2/XMPBA='";

const [missing, inline, evaluated] = ['csp.missing', 'csp.unsafe_inline', 'csp.unsafe_eval'];
const [broad, bypass] = ['csp.broad_source', 'csp.bypass_host'];
const lacks = (name: string) => `csp.missing_directive ${name}`;

export const cspFamily: Family = {
  name: 'csp',
  cases: cases([
    ['no policy', none, missing],
    ['only reports', reporting("default-src 'self'"), 'csp.report_only'],
    ['an empty policy', '', missing],
    ['upgrades only, as WordPress hosts send it', 'upgrade-insecure-requests', missing],
    ['framing only', "frame-ancestors 'self'", missing],
    [
      'a shop: framing, upgrades and reports',
      'block-all-mixed-content; frame-ancestors *; upgrade-insecure-requests; report-uri /csp',
      missing,
    ],
    ['a misspelled directive only', "default_src 'none'", missing],

    ['own scripts only', scripts("'self'"), null],
    [
      'no scripts at all',
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      null,
    ],
    ['an empty list of sources, which allows nothing', `default-src; ${rest}`, null],
    [
      'as Helmet sends it',
      "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests",
      null,
    ],
    [
      'nonces with fallbacks for old browsers',
      `script-src 'report-sample' 'nonce-{nonce}' 'unsafe-inline' 'strict-dynamic' https: http:; ${rest}`,
      null,
    ],
    ['nonces without strict-dynamic', scripts("'self' 'nonce-{nonce}' 'unsafe-inline'"), null],
    ['hashes beside inline scripts', scripts(`'self' 'unsafe-inline' ${hash}`), null],
    ['hashes with strict-dynamic', scripts(`'strict-dynamic' ${hash}`), null],
    [
      'trusted types',
      `${scripts("'self'")}; require-trusted-types-for 'script'; trusted-types default`,
      null,
    ],
    ['WebAssembly', scripts("'self' 'wasm-unsafe-eval'"), null],
    ['inline styles', `${scripts("'self'")}; style-src 'self' 'unsafe-inline'`, null],
    ['images from anywhere', `default-src 'self'; img-src * data: blob:; media-src https:; ${rest}`, null],
    [
      'inline in default-src, which script-src replaces',
      `default-src 'self' 'unsafe-inline'; script-src 'self'; ${rest}`,
      null,
    ],
    [
      'payment and captcha with paths',
      scripts(
        "'self' https://js.stripe.com https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/ https://challenges.cloudflare.com",
      ),
      null,
    ],
    [
      'two fields, of which the second restricts scripts',
      [scripts("'self' 'unsafe-inline'"), "script-src 'self'"],
      null,
    ],
    ['a list of policies in one field', `${scripts("'self' 'unsafe-eval'")}, script-src 'self'`, null],
    [
      'a policy in markup restricts that of the header',
      scripts("'self' 'unsafe-inline'"),
      null,
      meta("script-src 'self'"),
    ],
    ['in markup only', none, null, meta(`default-src 'self'; ${rest}`)],
    ['only the first directive counts', `script-src 'self'; script-src * 'unsafe-inline'; ${rest}`, null],
    [
      'reports beside an enforced policy',
      {
        'content-security-policy': scripts("'self'"),
        'content-security-policy-report-only': "script-src 'none'",
      },
      null,
    ],

    ['inline scripts', scripts("'self' 'unsafe-inline'"), inline],
    ['inline scripts, in capitals', scripts("'self' 'UNSAFE-INLINE'"), inline],
    ['inline scripts by default-src', `default-src 'self' 'unsafe-inline'; ${rest}`, inline],
    [
      'inline scripts in elements only',
      `script-src 'self'; script-src-elem 'self' 'unsafe-inline'; ${rest}`,
      inline,
    ],
    ['inline event handlers', `script-src 'self'; script-src-attr 'unsafe-inline'; ${rest}`, inline],
    [
      'inline scripts where strict-dynamic lacks a nonce in a former browser',
      `${scripts("'self' 'unsafe-inline'")}; style-src 'nonce-{nonce}'`,
      inline,
    ],
    [
      'a wide first directive, and a strict second one',
      `script-src 'self' 'unsafe-inline'; script-src 'self'; ${rest}`,
      inline,
    ],
    [
      'two policies that both allow it',
      [scripts("'self' 'unsafe-inline'"), "script-src https: 'unsafe-inline'"],
      inline,
    ],
    ['a second policy without scripts', [scripts("'self' 'unsafe-inline'"), "img-src 'self'"], inline],
    [
      'the same nonce in each response',
      scripts("'nonce-hJ3kP9sQ2vX7yZ1a' 'strict-dynamic'"),
      'csp.nonce_reused',
    ],
    [
      'the same nonce of a cache',
      { 'content-security-policy': scripts("'nonce-hJ3kP9sQ2vX7yZ1a'"), age: '600' },
      'csp.nonce_reused',
    ],
    ['eval', scripts("'self' 'unsafe-eval'"), evaluated],
    ['eval beside a nonce', scripts("'nonce-{nonce}' 'strict-dynamic' 'unsafe-eval'"), evaluated],
    [
      'as many content management systems have it',
      "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'",
      [inline, evaluated, broad, lacks('base-uri'), lacks('form-action')],
    ],
    ['scripts from every site', scripts('*'), broad],
    ['scripts over HTTPS from every site', scripts("'self' https:"), broad],
    ['every site by a wildcard with a scheme', scripts("'self' https://*"), broad],
    ['scripts over plain HTTP', scripts("'self' http://cdn.partner.example"), broad],
    ['scripts in data URLs', scripts("'self' data:"), broad],
    ['every site by default-src', `default-src https:; ${rest}`, broad],
    ['a wide list for elements only', `script-src 'self'; script-src-elem *; ${rest}`, broad],
    [
      'plugins from every site',
      `default-src 'self'; object-src *; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      broad,
    ],
    ['a host with JSONP', scripts("'self' https://ajax.googleapis.com"), bypass],
    ['a host of packages', scripts("'self' https://unpkg.com"), bypass],
    ['a host of packages and repositories', scripts("'self' https://cdn.jsdelivr.net"), bypass],
    ['a host with old frameworks', scripts("'self' cdnjs.cloudflare.com"), bypass],
    ['subdomains that anyone can have', scripts("'self' *.herokuapp.com"), bypass],
    ['a host of analytics with JSONP', scripts("'self' https://www.googletagmanager.com"), null],
    ['no base-uri', "default-src 'self'; form-action 'self'; frame-ancestors 'none'", lacks('base-uri')],
    ['no form-action', "default-src 'self'; base-uri 'none'; frame-ancestors 'none'", lacks('form-action')],
    [
      'no object-src',
      "script-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      lacks('object-src'),
    ],
    [
      'no directive for scripts',
      "img-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      lacks('script-src'),
    ],
    [
      'any base URL',
      "default-src 'self'; object-src 'none'; base-uri *; form-action 'self'; frame-ancestors 'none'",
      broad,
    ],
    [
      'forms to every site',
      "default-src 'self'; object-src 'none'; base-uri 'none'; form-action *; frame-ancestors 'none'",
      lacks('form-action'),
    ],
    [
      'missing semicolons',
      "default-src 'self' script-src 'self' object-src 'none'",
      ['csp.invalid', lacks('base-uri'), lacks('form-action')],
    ],
    ['keywords without quotes', `script-src self; ${rest}`, 'csp.invalid'],
    [
      'only reports, in markup, where it has no effect',
      none,
      missing,
      `<meta http-equiv="Content-Security-Policy-Report-Only" content="default-src 'self'">`,
    ],
    [
      'two elements in markup',
      none,
      null,
      meta(scripts("'self' 'unsafe-inline'")) + meta("script-src 'self'"),
    ],
    ['markup in a comment', none, missing, `<!-- ${meta("default-src 'self'")} -->`],
    [
      'markup in the body, where it has no effect',
      none,
      missing,
      `</head><body>${meta(`default-src 'self'; ${rest}`)}`,
    ],
  ]),
  specialists: [cspEvaluator, observatory({ csp: 'contentSecurityPolicyTest' })],
};
