const key = 'parapet-organization';

/** A browser may refuse to store anything; the first organization opens then. */
export function rememberOrganization(id: string): void {
  try {
    localStorage.setItem(key, id);
  } catch {}
}

export function lastOrganization(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
