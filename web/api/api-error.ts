import type { ErrorBody, ErrorCode, FieldError } from '../../src/contract/errors.ts';

/** An answer that is not a success, or none at all (`status` 0: the service was not reached). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** One of the catalogue's codes, where the answer names one. */
  readonly code: ErrorCode | undefined;
  /** Which fields of what was sent are wrong, and why. */
  readonly fields: readonly FieldError[];
  /** Seconds after which another try can succeed. */
  readonly retryAfter: number | undefined;
  /** What support can find the request by in the service's log. */
  readonly requestId: string | undefined;
  /** The whole body, for answers that carry more. */
  readonly body: Partial<ErrorBody>;

  constructor(status: number, body: Partial<ErrorBody>, requestId?: string) {
    super(messageOf(status, body));
    this.status = status;
    this.code = body.error_code as ErrorCode | undefined;
    this.fields = body.fields ?? [];
    this.retryAfter = body.retry_after_seconds;
    this.requestId = requestId;
    this.body = body;
  }
}

/** What to tell a person: what happened and what to do. */
function messageOf(status: number, body: Partial<ErrorBody>): string {
  if (status === 0) return 'The service cannot be reached. Check your connection and try again.';
  if (status === 401)
    return body.error_code && body.error ? body.error : 'You are signed out. Sign in again.';
  if (status === 403 && !body.error_code) return 'Your role does not allow this. Ask an owner or admin.';
  if (status === 404) return 'This does not exist here, or it was removed.';
  if (status === 413) return 'This is too large.';
  if (status >= 500 && !body.error_code) return 'Something went wrong on our side. Try again in a moment.';
  return body.error ?? `The service answered with ${status}.`;
}
