/** Keywords of OpenSSL for ciphers without encryption or authentication, or with broken encryption. */
const weak = new Set([
  ...['LOW', 'EXP', 'EXPORT', 'EXPORT40', 'EXPORT56', 'NULL', 'ENULL', 'ANULL', 'ADH', 'AECDH'],
  ...['RC4', 'RC2', 'DES', '3DES', 'CBC3', 'IDEA', 'SEED', 'MD5', 'COMPLEMENTOFDEFAULT'],
]);
/** Keywords that include ciphers without authentication. */
const broad = new Set(['ALL', 'HIGH', 'MEDIUM']);

/**
 * How weak the weakest cipher of a list for OpenSSL is: `weak`, or `medium` if it depends on how OpenSSL was built whether
 * the list allows 3DES and the like. Keywords: https://docs.openssl.org/master/man1/openssl-ciphers/
 */
export function weakestOf(list: string): 'weak' | 'medium' | null {
  const entries = list.toUpperCase().split(/[:, ]/);
  const excluded = new Set(
    entries
      .filter(entry => entry.startsWith('!'))
      .flatMap(entry => [entry.slice(1), ...synonymsOf(entry.slice(1))]),
  );
  // `+` moves ciphers that another entry allows; `-` and `!` remove them.
  const allowed = entries.filter(entry => /^[A-Z0-9]/.test(entry));
  const isWeak = (entry: string) => {
    if (broad.has(entry)) return !excluded.has('ANULL');
    // `RSA+RC4` means both; the parts of a cipher's own name are `DES`, `CBC3` and `SHA`.
    const parts = entry.split(/[+-]/);
    return parts.some(part => weak.has(part)) && !parts.some(part => excluded.has(part));
  };
  if (allowed.some(isWeak)) return 'weak';
  const hasMedium = allowed.some(entry => entry === 'MEDIUM' || entry === 'ALL');
  return hasMedium && !excluded.has('MEDIUM') && !excluded.has('3DES') ? 'medium' : null;
}

function synonymsOf(keyword: string): readonly string[] {
  if (keyword === '3DES') return ['CBC3'];
  if (keyword === 'ANULL') return ['ADH', 'AECDH'];
  return keyword === 'NULL' ? ['ENULL'] : [];
}
