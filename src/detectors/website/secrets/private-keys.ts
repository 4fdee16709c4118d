import { secretsChecks } from './checks.ts';
import { around, type SecretRule } from './rule.ts';
import { compileShape } from './shape.ts';

const check = secretsChecks.privateKey;

/**
 * The text format of a key (RFC 7468) with line breaks that are plain, escaped in a string, or between
 * concatenated strings, or without any.
 */
function pem(label: string): Pick<SecretRule, 'anchors' | 'pattern' | 'within'> {
  const lineBreak = '[\\r\\n]|\\\\{1,2}[nr]';
  const between = `(?:[\\s"'\`+,;]|\\\\{1,2}[nr]|&#1[03];|<br ?/?>){0,40}`;
  // Fields of a key in the old format (RFC 1421) or of OpenPGP.
  const fields = `(?:[A-Za-z-]{3,20}: [^\\r\\n\\\\]{0,80}(?:${lineBreak}){1,8}){0,4}`;
  const body = '(?<body>(?:\\\\?/|[A-Za-z0-9+]){60})';
  const pattern = new RegExp(`-----BEGIN ${label}-----${between}${fields}${body}`, 'y');
  return { anchors: ['-----BEGIN '], pattern, within: true };
}

/** Parts of keys that standards, tutorials and tests quote: of jwt.io, RFC 7515, 7517 and 7520, and BIP 32. */
const exampleKeys = [
  'VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4t7',
  'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ',
  '870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE',
  'X4cTteJY_gn4FYPsXB8rdXix5vwsg1FLN5E3EaG6RJoVH',
  'AAhRON2r9cqXX1hg-RoI6R1tX5p2rUAYdmpHZoC1XNM56KtscrX6zb',
  'bWUC9B-EFRIo8kpGfh0ZuyGPvMNKvYWNtB_ikiH9k20eT-O1q_I78ei',
  'hJtXIZ2uSN5kbQfbtTNWbpdmhkV8FJG-Onbc6mxCcYg',
  // Examples of 1Password, and RFC 9500.
  'M8VPfIc8VEfThcMXLaKCKF8sMh5JMZsPAtu92fQNb',
  'Cw0YNSqI9T1VFvRsIOejZ9feiKz1SgGfbe9Xq5tEzt2yJ',
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
];

const isExample = (text: string) => exampleKeys.some(key => text.includes(key));

/** The first bytes of a key of OpenSSH name its cipher, unless it is not encrypted. */
const encryptedOpenssh = /^b3BlbnNzaC1rZXktdjEAAAAA(?!BG5vbmU)/;

function isKey(match: RegExpExecArray): boolean {
  const body = match.groups?.body ?? '';
  return (
    new Set(body).size >= 15 &&
    !isExample(around(match, 60).replaceAll('\\/', '/')) &&
    !isShortened(match, body)
  );
}

/** Keys that start with the bytes of a long one (RSA), but end after a line, as in documentation. */
function isShortened({ input, index, 0: start }: RegExpExecArray, body: string): boolean {
  if (!/^MII[BCEGJ]/.test(body)) return false;
  const rest = input.slice(index + start.length, index + start.length + 500);
  const next = /[^\w+/\s"'`,;\\=&#<>]/.exec(rest)?.index ?? rest.length;
  return next < 120;
}

/** The JSON object around a match, which contains no other objects. */
function objectAround({ input, index }: RegExpExecArray): string {
  const before = input.slice(Math.max(0, index - 2_500), index);
  const after = input.slice(index, index + 2_500);
  const end = after.indexOf('}');
  return before.slice(before.lastIndexOf('{') + 1) + after.slice(0, end === -1 ? undefined : end);
}

/** A JSON Web Key is private if it has the member `d` (RFC 7518, 6.2.2 and 6.3.2), or `k` for a symmetric one. */
const hasMember = (member: RegExp) => (match: RegExpExecArray) => {
  const value = member.exec(objectAround(match))?.groups?.value;
  return value !== undefined && new Set(value).size >= 12 && !isExample(value);
};
const memberD =
  /(?:^|[,\s])\\{0,2}["']?d\\{0,2}["']?\s{0,3}:\s{0,3}\\{0,2}["'](?<value>[\w-]{32,700})\\{0,2}["']/;
const memberK =
  /(?:^|[,\s])\\{0,2}["']?k\\{0,2}["']?\s{0,3}:\s{0,3}\\{0,2}["'](?<value>[\w-]{32,700})\\{0,2}["']/;

const encryptedName = 'a private key, protected by a password that can be guessed offline';

export const privateKeys: readonly SecretRule[] = [
  {
    kind: 'private-key',
    name: 'a private key',
    check,
    ...pem('(?:(?:RSA|EC|DSA|OPENSSH) )?PRIVATE KEY'),
    // In the old format, a field shows that the key is encrypted.
    accepts: match =>
      isKey(match) &&
      !/Proc-Type: ?4,ENCRYPTED/.test(match[0]) &&
      !encryptedOpenssh.test(match.groups?.body ?? ''),
  },
  {
    kind: 'encrypted-private-key',
    name: encryptedName,
    check,
    severity: 'high',
    ...pem('(?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED) PRIVATE KEY|PGP PRIVATE KEY BLOCK)'),
    accepts: isKey,
  },
  {
    kind: 'putty-key',
    name: 'a private key of PuTTY',
    check,
    anchors: ['PuTTY-User-Key-File-'],
    pattern: /PuTTY-User-Key-File-[23]: [\w-]{4,40}/y,
    looksAround: true,
    accepts: ({ input, index }) => {
      const key = input.slice(index, index + 6_000);
      if (!/Private-Lines: \d/.test(key)) return false;
      return /Encryption: none/.test(key) || { name: encryptedName, severity: 'high' };
    },
  },
  {
    kind: 'jwk-private-key',
    name: 'a private key (JSON Web Key)',
    check,
    anchors: ['kty'],
    pattern: /kty\\{0,2}["']?\s{0,3}:\s{0,3}\\{0,2}["'](?:RSA|EC|OKP)\\{0,2}["']/y,
    accepts: hasMember(memberD),
    looksAround: true,
  },
  {
    kind: 'jwk-secret-key',
    name: 'a symmetric key (JSON Web Key)',
    check,
    severity: 'high',
    anchors: ['kty'],
    pattern: /kty\\{0,2}["']?\s{0,3}:\s{0,3}\\{0,2}["']oct\\{0,2}["']/y,
    accepts: hasMember(memberK),
    looksAround: true,
  },
  {
    kind: 'minisign-key',
    name: 'a secret key of minisign, protected by a password that can be guessed offline',
    check,
    severity: 'high',
    ...compileShape('RWRTY0Iy{100-220 b64}'),
  },
  {
    kind: 'wireguard-key',
    name: 'a private key of WireGuard',
    check,
    anchors: ['privatekey', 'presharedkey'],
    anyCase: true,
    pattern:
      /(?:PrivateKey|PresharedKey) {0,3}= {0,3}(?<random>[0-9A-Za-z+/]{42}[AEIMQUYcgkosw048])=(?![\w+/=])/y,
    looksAround: true,
    accepts: match => /\[(?:Interface|Peer)\]/.test(around(match, 1_000)),
  },
  {
    kind: 'bitcoin-key',
    name: 'an extended private key of a Bitcoin wallet',
    check,
    ...compileShape('(xprv|yprv|zprv|tprv){107-108 b58}'),
    accepts: match => !isExample(match[0]),
  },
];
