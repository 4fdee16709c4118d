import { secretsChecks } from './checks.ts';
import type { Reading, SecretRule, Verdict } from './rule.ts';

const { apiToken, serviceRoleKey } = secretsChecks;

type Claims = Readonly<Record<string, unknown>>;

/** The claims of a JSON Web Token (RFC 7519), not verified; null if it is not a valid token. */
function claimsOf(match: RegExpExecArray): Claims | null {
  const known = claimsOfMatch.get(match);
  if (known !== undefined) return known;
  const claims = parseClaims(match[0]);
  claimsOfMatch.set(match, claims);
  return claims;
}

/** Several rules judge the same match. */
const claimsOfMatch = new WeakMap<RegExpExecArray, Claims | null>();

function parseClaims(token: string): Claims | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null ? (claims as Claims) : null;
  } catch {
    return null;
  }
}

const day = 86_400;

/** How long a token is still valid, in seconds; null if it never expires. Without a clock, the whole time since it was issued. */
function remaining({ exp, iat }: Claims, { now }: Reading): number | null {
  if (typeof exp !== 'number') return null;
  return exp - (now === null ? (typeof iat === 'number' ? iat : exp - day) : now / 1_000);
}

function validity(claims: Claims, reading: Reading): string | null {
  const seconds = remaining(claims, reading);
  if (seconds === null) return 'never expires';
  if (seconds < 30 * day) return null;
  const days = Math.min(Math.round(seconds / day), 36_500);
  return days > 730 ? `is valid for ${Math.round(days / 365)} more years` : `is valid for ${days} more days`;
}

/** Claims that name what a token may do. */
const rightsNames =
  /^(?:roles?|groups?|scopes?|scp|permissions?|perms|authorities|user_?type|access|privileges?)$/i;
const privileged =
  /(?:^|[\s_:./*-])(?:admin|administrator|superuser|super_admin|root|owner|service_role|service_account|sysadmin|write_all|full_access)(?:$|[\s_:./*-])/i;

function isPrivileged(claims: Claims): boolean {
  const own = Object.entries(claims).slice(0, 40);
  // Hasura and others have their claims in an object with a URL as its name.
  const nested = own.flatMap(([name, value]) =>
    /^https?:|claims|metadata|realm_access/.test(name) && typeof value === 'object' && value !== null
      ? Object.entries(value).slice(0, 20)
      : [],
  );
  return [...own, ...nested].some(([name, value]) => {
    if (/^(?:is_?)?(?:admin|superuser|super_?admin)$/i.test(name)) return value === true || value === 'true';
    const isRight =
      rightsNames.test(name.replace(/^.{0,200}[/:]/s, '')) || /^x-hasura-(?:default-)?role$/i.test(name);
    return (
      isRight &&
      privileged.test(
        [value]
          .flat()
          .filter(one => typeof one === 'string')
          .join(' ')
          .slice(0, 2_000),
      )
    );
  });
}

/** The tokens of tutorials. */
const isExample = ({ sub, name, iss }: Claims) =>
  sub === '1234567890' ||
  name === 'John Doe' ||
  iss === 'supabase-demo' ||
  /example\.(?:com|org)/.test(String(iss));

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Services whose tokens for servers are JSON Web Tokens, by their claims. */
const issuers: readonly (readonly [kind: string, name: string, test: (claims: Claims) => boolean])[] = [
  [
    'kubernetes-token',
    'a Kubernetes service account token',
    claims => text(claims.iss) === 'kubernetes/serviceaccount' || 'kubernetes.io' in claims,
  ],
  ['calendly-token', 'a Calendly token', claims => /auth\.calendly\.com/.test(text(claims.iss))],
  [
    'monday-token',
    'a monday.com token',
    claims => 'tid' in claims && 'uid' in claims && /me:write/.test(text(claims.per)),
  ],
  ['n8n-key', 'an n8n API key', claims => claims.iss === 'n8n' && claims.aud === 'public-api'],
  ['pinata-key', 'a Pinata key', claims => 'scopedKeySecret' in claims],
  ['web3-storage-key', 'a web3.storage key', claims => /^(?:web3|nft)-storage$/.test(text(claims.iss))],
  ['turso-token', 'a Turso database token that can write', claims => claims.a === 'rw' && 'id' in claims],
  [
    'home-assistant-token',
    'a Home Assistant long-lived access token',
    claims =>
      /^[\da-f]{32}$/.test(text(claims.iss)) &&
      typeof claims.exp === 'number' &&
      typeof claims.iat === 'number' &&
      claims.exp - claims.iat > 3_000 * day,
  ],
];

const anchors = ['eyJ'];
const pattern = /eyJ[\w-]{10,500}\.eyJ[\w-]{10,2000}\.(?<random>[\w-]{20,700})/y;

/** Session tokens expire soon and belong to a visitor. What remains was issued to programs. */
function judge(isOne: (claims: Claims) => boolean, name: string) {
  return (match: RegExpExecArray, reading: Reading): Verdict | boolean => {
    const claims = claimsOf(match);
    if (claims === null || isExample(claims) || !isOne(claims)) return false;
    const valid = validity(claims, reading);
    return valid !== null && { name: `${name} that ${valid}` };
  };
}

/** Whether a token never expires or lasts more than a month, and is not one for visitors. */
export function isLongLived(token: string, reading: Reading): boolean {
  const claims = parseClaims(token);
  return (
    claims !== null &&
    !isExample(claims) &&
    !/^(?:anon|anonymous|guest|public|viewer|visitor)$/i.test(text(claims.role)) &&
    validity(claims, reading) !== null
  );
}

export const jsonWebTokens: readonly SecretRule[] = [
  {
    kind: 'supabase-service-role',
    name: 'a Supabase service_role key',
    check: serviceRoleKey,
    anchors,
    pattern,
    // All local Supabase CLI projects have the same keys, which its documentation quotes.
    accepts: (match, reading) => {
      const claims = claimsOf(match);
      if (claims?.role !== 'service_role' || claims.iss === 'supabase-demo') return false;
      const seconds = remaining(claims, reading);
      return seconds === null || seconds > 0;
    },
  },
  ...issuers.map(
    ([kind, name, isOne]): SecretRule => ({
      kind,
      name,
      check: apiToken,
      anchors,
      pattern,
      accepts: judge(isOne, name),
    }),
  ),
  {
    kind: 'privileged-jwt',
    name: 'a JSON Web Token with administrative rights',
    check: apiToken,
    anchors,
    pattern,
    accepts: judge(isPrivileged, 'a JSON Web Token with administrative rights'),
  },
];
