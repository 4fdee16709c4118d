import { ApiError } from '../api/api-error.ts';
import { inWaitingTime } from '../formats/numbers.ts';

/** The message about a form as a whole, and when to try again; undefined if fields show what is wrong. */
export function formMessage(error: Error | null | undefined): string | undefined {
  if (!(error instanceof ApiError)) return error?.message;
  if (error.fields.some(({ path }) => path !== '')) return undefined;
  return error.retryAfter ? `${error.message} Try again ${inWaitingTime(error.retryAfter)}.` : error.message;
}

/** What is wrong with a field or one of its entries, by its dotted path, as the service says it: `must be a host name`. */
export function fieldProblem(error: Error | null | undefined, path: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.fields.find(field => field.path === path || field.path.startsWith(`${path}.`))?.message;
}

/** The same for an input's `error`: `Must be a host name`. */
export function fieldError(error: Error | null | undefined, path: string): string | undefined {
  return fieldProblem(error, path)?.replace(/^[a-z]/, letter => letter.toUpperCase());
}
