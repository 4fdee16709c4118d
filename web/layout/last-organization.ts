const key = 'parapet-organization';

/** A browser may keep nothing for us: then the first organization is as good as any. */
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
