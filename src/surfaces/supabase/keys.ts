export const isHeaderValue = (key: string) => /^[\x21-\x7e]+$/.test(key);

/** A key that is not a JWT is accepted as a bearer only if it equals `apikey`. */
export const keyHeaders = (key: string) => ({ apikey: key, authorization: `Bearer ${key}` });

/** Whether a key identifies itself as anonymous, so that it cannot be one with full access. */
export function isAnonymousKey(key: string): boolean {
  if (!isHeaderValue(key)) return false;
  if (key.startsWith('sb_publishable_')) return true;
  const [, payload = ''] = key.split('.');
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null && 'role' in claims && claims.role === 'anon';
  } catch {
    return false;
  }
}
