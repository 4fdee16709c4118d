/** V8's messages for a buffer, array or string that exceeds the limits of the process. */
const words = /allocation failed|out of memory|^Invalid (?:string|array|typed array|array buffer) length/i;

export function isAllocationFailure(error: unknown): boolean {
  return error instanceof RangeError && words.test(error.message);
}
