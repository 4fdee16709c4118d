/** A failed start of the private PostgreSQL. The message is one line, and the end of a log may follow. */
export class PrivatePostgresError extends Error {
  override readonly name = 'PrivatePostgresError';
}

/** The `code` of a system or database error (`ENOENT`, `57P03`), or undefined. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** For `catch`: undefined instead of an error with one of these codes. */
export const ignore =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(codeOf(error) ?? '')) throw error;
  };
