import { ApiError } from './api-error.ts';

/**
 * A path below `/dashboard/api` in which every value stays one segment, since ids come from URLs that anyone may have written.
 * Throws an `ApiError` (404) for values that no encoding keeps in one segment.
 */
export function apiPath(texts: TemplateStringsArray, ...values: string[]): string {
  // Browsers resolve dot segments even where the dots are encoded (URL Standard, section 4.4).
  if (values.some(value => /^\.{0,2}$/.test(value))) throw new ApiError(404, {});
  return String.raw({ raw: texts }, ...values.map(encodeURIComponent));
}
