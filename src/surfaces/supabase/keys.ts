export const isHeaderValue = (key: string) => /^[\x21-\x7e]+$/.test(key);

/** Keys that are no JWT are taken as a bearer only where they equal `apikey`. */
export const keyHeaders = (key: string) => ({ apikey: key, authorization: `Bearer ${key}` });

/** A key that says of itself that it is for strangers: never one that opens everything. */
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
