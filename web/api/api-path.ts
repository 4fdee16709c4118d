import { ApiError } from './api-error.ts';

/**
 * A path below `/dashboard/api` in which each value is one segment, whatever it contains: ids come from the page's address, which
 * anybody may have put together. Throws an `ApiError` (404) for what no encoding makes a segment.
 */
export function apiPath(texts: TemplateStringsArray, ...values: string[]): string {
  // Browsers take dots for steps also where they are encoded (URL Standard, section 4.4).
  if (values.some(value => /^\.{0,2}$/.test(value))) throw new ApiError(404, {});
  return String.raw({ raw: texts }, ...values.map(encodeURIComponent));
}
