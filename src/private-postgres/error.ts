/** A start of the private PostgreSQL that cannot go on. The message is one line (a log's tail may follow). */
export class PrivatePostgresError extends Error {
  override readonly name = 'PrivatePostgresError';
}

/** The `code` of a system or database error (`ENOENT`, `57P03`), or undefined. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
