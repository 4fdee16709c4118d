import { type Fields, headerCases } from './material.ts';

const policy = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'";
const csp = (more: string) => ({ 'content-security-policy': `${policy}; ${more}` });

/** X-Frame-Options without frame-ancestors. */
const framedBy = (value: Fields[string]) => ({
  'content-security-policy': policy,
  'x-frame-options': value,
});
const framing = 'headers.framing_unrestricted';

export const framingCases = headerCases([
  ['framing: nothing', framedBy(undefined), framing],
  ['framing: DENY', framedBy('DENY'), null],
  ['framing: sameorigin in lowercase', framedBy('sameorigin'), null],
  ['framing: SAMEORIGIN by the proxy and the application', framedBy(['SAMEORIGIN', 'SAMEORIGIN']), null],
  ['framing: a list of equal values', framedBy('SAMEORIGIN, SAMEORIGIN'), null],
  [
    'framing: values that contradict each other, which browsers treat as DENY',
    framedBy(['DENY', 'SAMEORIGIN']),
    null,
  ],
  ['framing: DENY, and a value that no browser knows', framedBy('DENY, ALLOW-FROM https://a.example'), null],
  ['framing: ALLOW-FROM', framedBy('ALLOW-FROM https://partner.example/'), framing],
  [
    'framing: ALLOW-FROM, twice',
    framedBy(['ALLOW-FROM https://a.example', 'ALLOW-FROM https://b.example']),
    framing,
  ],
  ['framing: ALLOWALL, as older Rails applications send', framedBy('ALLOWALL'), framing],
  ['framing: in quotes', framedBy('"DENY"'), framing],
  ['framing: with a semicolon', framedBy('SAMEORIGIN;'), framing],
  ['framing: an empty value', framedBy(''), framing],
  [
    'framing: X-Frame-Options in markup, which browsers ignore',
    framedBy(undefined),
    framing,
    '<meta http-equiv="X-Frame-Options" content="DENY">',
  ],
  [
    'framing: frame-ancestors in markup, which browsers ignore',
    framedBy(undefined),
    framing,
    `<meta http-equiv="Content-Security-Policy" content="frame-ancestors 'none'">`,
  ],
  [
    'framing: frame-ancestors in a policy that only reports',
    { ...framedBy(undefined), 'content-security-policy-report-only': "frame-ancestors 'none'" },
    framing,
  ],
  [
    'framing: frame-ancestors for every site, and DENY',
    { ...csp('frame-ancestors *'), 'x-frame-options': 'DENY' },
    framing,
  ],
  ['framing: frame-ancestors for every site over HTTPS', csp('frame-ancestors https:'), framing],
  ['framing: frame-ancestors for partners', csp("frame-ancestors 'self' https://*.partner.example"), null],
  ['framing: an empty list of ancestors', csp('frame-ancestors'), null],
  [
    'framing: two policies, of which one restricts it',
    { 'content-security-policy': [`${policy}; frame-ancestors *`, "frame-ancestors 'self'"] },
    null,
  ],
]);

const sniffing = 'headers.nosniff_missing';
const nosniff = (value: Fields[string]) => ({ 'x-content-type-options': value });

export const sniffingCases = headerCases([
  ['nosniff: missing', nosniff(undefined), sniffing],
  ['nosniff: by the proxy and the application', nosniff(['nosniff', 'nosniff']), null],
  ['nosniff: a list of equal values', nosniff('nosniff, nosniff'), null],
  ['nosniff: in capitals', nosniff('NOSNIFF'), null],
  ['nosniff: before another value', nosniff('nosniff, none'), null],
  ['nosniff: after another value', nosniff('none, nosniff'), sniffing],
  ['nosniff: with a hyphen', nosniff('no-sniff'), sniffing],
  ['nosniff: with a semicolon', nosniff('nosniff;'), sniffing],
  ['nosniff: in quotes', nosniff('"nosniff"'), sniffing],
  ['nosniff: the value of another header', nosniff('SAMEORIGIN'), sniffing],
]);

const referrer = 'headers.referrer_policy';
const referrers = (value: Fields[string]) => ({ 'referrer-policy': value });

export const referrerCases = headerCases([
  ['referrer: missing', referrers(undefined), referrer],
  ['referrer: same-origin', referrers('same-origin'), null],
  ['referrer: strict-origin in capitals', referrers('Strict-Origin'), null],
  ['referrer: unsafe-url', referrers('unsafe-url'), referrer],
  [
    'referrer: no-referrer-when-downgrade, the default of former browsers',
    referrers('no-referrer-when-downgrade'),
    referrer,
  ],
  ['referrer: the site’s origin, also over plain HTTP', referrers('origin-when-cross-origin'), referrer],
  [
    'referrer: a fallback for former browsers',
    referrers('no-referrer, strict-origin-when-cross-origin'),
    null,
  ],
  ['referrer: a policy of the future at the end', referrers('strict-origin, no-origin-at-all'), null],
  ['referrer: only a policy that no browser knows', referrers('strict'), referrer],
  ['referrer: in quotes', referrers('"no-referrer"'), referrer],
  ['referrer: a name for markup in the header', referrers('never'), referrer],
  ['referrer: a good field after a bad one', referrers(['unsafe-url', 'no-referrer']), null],
  ['referrer: a bad field after a good one', referrers(['no-referrer', 'unsafe-url']), referrer],
  ['referrer: in markup only', referrers(undefined), null, '<meta name="referrer" content="same-origin">'],
  ['referrer: a former name in markup', referrers(undefined), null, '<meta name=referrer content=never>'],
  [
    'referrer: a bad policy in markup after a good header',
    referrers('no-referrer'),
    referrer,
    '<meta name="referrer" content="unsafe-url">',
  ],
  [
    'referrer: a good policy in markup after a bad header',
    referrers('unsafe-url'),
    null,
    '<meta name="referrer" content="no-referrer">',
  ],
  [
    'referrer: an unknown policy in markup after a good header',
    referrers('no-referrer'),
    null,
    '<meta name="referrer" content="whatever">',
  ],
  [
    'referrer: as http-equiv, which browsers ignore',
    referrers(undefined),
    referrer,
    '<meta http-equiv="Referrer-Policy" content="no-referrer">',
  ],
]);
