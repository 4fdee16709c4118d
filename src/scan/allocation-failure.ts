/** V8's words for a buffer, array or string that the limits of the process leave no room for. */
const words = /allocation failed|out of memory|^Invalid (?:string|array|typed array|array buffer) length/i;

export function isAllocationFailure(error: unknown): boolean {
  return error instanceof RangeError && words.test(error.message);
}
