import type { Cookie } from 'set-cookie-parser';
import { bareName } from '../session-cookie.ts';

/** What a cookie states that its visitor could change. Never its value. */
export type OpenContent = 'role' | 'identity' | 'object' | 'unsigned_token';

const roleNames =
  /^(?:user_?)?(?:role|roles|privileges?|access_?level|user_?level|user_?type|authorit(?:y|ies))$|^(?:is_?)?(?:admin|administrator|super_?user|super_?admin|staff|root)$/;
const roleWords =
  /^(?:role_)?(?:admin|administrator|super_?admin|super_?user|root|staff|manager|moderator|editor|author|operator|owner|employee|doctor|nurse|clinician|provider|patient|customer|subscriber|member|user|guest|viewer|read_?only)s?$/i;
const isYesOrNo = /^(?:0|1|true|false|yes|no|y|n)$/i;

const identityNames =
  /^(?:user_?(?:id|name|email|login)?|login(?:_?(?:name|id))?|e_?mail|account_?(?:id|name|number)|customer_?id|member_?id|employee_?id|patient_?id|mrn)$/;
const nobody = /^(?:guest|anonymous|anon|none|null|undefined|unknown|0|-1|false|true)$/i;
/** An address, a number or a login name. A long number is more often one of statistics. */
const identity =
  /^(?:[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}|\d{1,9}|[a-z][a-z]{1,20}[._][a-z]{2,20})$/i;

/** Names of cookies that scripts of statistics and support tools read. */
const ofStatistics =
  /^(?:_|ajs|amp|mp_|ph_|hubspot|intercom|optimizely|dtm|rl_|utm|vis|gtm)|analytics|segment|traits|consent/;

/** The starts of serialized objects: of PHP, and in Base64 of PHP, Java, .NET, Python and Ruby. */
const objects: readonly RegExp[] = [
  /^[OC]:\d{1,4}:"[\w\\]{1,100}":\d/,
  /^(?:Tzo|Qzo)[\w+/]{12}/,
  /^rO0AB[\w+/]{12}/,
  /^AAEAAAD\/{5}/,
  /^gA[JNR][\w+/]{12}|^gAS[VW][\w+/]{12}/,
  /^BAh[7bv][\w+/]{12}/,
];

/** Text at most this long is decoded. */
const longest = 8_192;

/**
 * What a cookie states in clear about rights or a person, or as an object that a program would deserialize. Null for anything that is
 * signed or encrypted, and unless both a name and its value say so.
 *
 * @param others names of all cookies that are set with it
 */
export function openContent(
  { name, value }: Pick<Cookie, 'name' | 'value'>,
  others: ReadonlySet<string>,
): OpenContent | null {
  // The cookies package signs in a second cookie.
  if (value.length > longest || others.has(`${name}.sig`)) return null;
  const bare = bareName(name).replace(/-/g, '_');
  if (ofStatistics.test(bare)) return null;
  const text = withoutEscapes(value);
  if (/^ey[\w-]+\.ey[\w-]*\.[\w-]*$/.test(text)) return isUnsignedToken(text) ? 'unsigned_token' : null;
  const decoded = fromBase64(text);
  // A signature or a hash follows.
  if (objects.some(pattern => pattern.test(text)) && !/--[0-9a-f]{20}|[.|:][0-9a-f]{32,}$/.test(text))
    return 'object';
  for (const given of [text, decoded]) {
    const fields = given === null ? null : fieldsOf(given);
    if (fields !== null) return statedBy(fields);
  }
  return statedBy([[bare, text]]);
}

type Field = readonly [name: string, value: unknown];

/** The fields of a JSON object, and of objects in it. */
function fieldsOf(text: string): Field[] | null {
  if (!text.startsWith('{') || !text.endsWith('}')) return null;
  try {
    const own = Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>).slice(0, 50);
    // An encrypted or signed envelope.
    if (own.some(([name]) => /^(?:iv|mac|tag|sig|signature|hmac|ct|ciphertext)$/i.test(name))) return [];
    const nested = own.flatMap(([, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).slice(0, 50)
        : [],
    );
    return [...own, ...nested];
  } catch {
    return null;
  }
}

function statedBy(fields: readonly Field[]): OpenContent | null {
  const named = fields.map(([name, value]) => [underscored(name), value] as const);
  if (named.some(([name, value]) => roleNames.test(name) && statesRole(name, value))) return 'role';
  return named.some(([name, value]) => identityNames.test(name) && statesIdentity(value)) ? 'identity' : null;
}

/** `isAdmin` and `IS-ADMIN` as `is_admin`. */
const underscored = (name: string) =>
  name
    .slice(0, 60)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/-/g, '_')
    .toLowerCase();

function statesRole(name: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.slice(0, 20).every(one => statesRole(name, one));
  const text = String(value);
  return roleWords.test(text) || (/admin|super|staff|root/.test(name) && isYesOrNo.test(text));
}

function statesIdentity(value: unknown): boolean {
  return (
    (typeof value === 'string' || typeof value === 'number') &&
    identity.test(`${value}`) &&
    !nobody.test(`${value}`)
  );
}

function withoutEscapes(value: string): string {
  try {
    return decodeURIComponent(value.replace(/^"(.*)"$/s, '$1'));
  } catch {
    return value;
  }
}

/** Null unless the whole text is Base64 of a printable text. */
function fromBase64(text: string): string | null {
  if (!/^[\w+/-]{8,}={0,2}$/.test(text)) return null;
  const decoded = Buffer.from(text, 'base64').toString('utf8');
  return /^[\x20-\x7e\u00a0-\ufffc]+$/.test(decoded) ? decoded : null;
}

/** A JSON Web Token without a signature (RFC 7519, 6). */
function isUnsignedToken(text: string): boolean {
  const [header = '', , signature] = text.split('.');
  return (
    signature === '' || /"alg"\s{0,4}:\s{0,4}"none"/i.test(Buffer.from(header, 'base64url').toString('utf8'))
  );
}
