import type { ErrorBody, ErrorCode, FieldError } from '../../src/contract/errors.ts';

/** A response that is not a success, or no response at all (`status` 0). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** Which fields of the request were wrong, and why. */
  readonly fields: readonly FieldError[];
  /** Seconds to wait before another attempt. */
  readonly retryAfter: number | undefined;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
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

/** For people: what happened, and what to do. Only errors with a code have a text that is meant for them. */
function messageOf(status: number, { error, error_code }: Partial<ErrorBody>): string {
  if (status === 0) return "Can't reach the service. Check your connection, then try again.";
  if (status === 404) return "This doesn't exist, or you don't have access to it.";
  if (status === 413) return 'This is too large. Send less text or a smaller file.';
  if (error && error_code) return sentence(error);
  if (status === 401) return "You're signed out. Sign in again.";
  if (status === 403) return "Your role doesn't allow this. Ask an owner or admin.";
  if (status >= 500) return 'The service ran into a problem. Try again in a moment.';
  return error ? sentence(error) : `The service responded with status ${status}. Try again.`;
}

/** The service's texts end without a period. */
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
