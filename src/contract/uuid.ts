const form = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether it is a UUID as PostgreSQL writes it: in lower case, with dashes. */
export function isUuid(text: string): boolean {
  return form.test(text);
}
