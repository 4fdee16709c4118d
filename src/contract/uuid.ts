const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Accepts only the canonical form: lowercase, with hyphens. */
export function isUuid(text: string): boolean {
  return form.test(text);
}

/** The UUID as PostgreSQL writes it, whatever case it was written in. Undefined where it is none. */
export function readUuid(text: string): string | undefined {
  const id = text.toLowerCase();
  return isUuid(id) ? id : undefined;
}
