/**
 * What a surface saw of one thing, as plain data that survives JSON. A part that could not be looked at says so with a
 * reason. It is neither good nor bad.
 */
export type Assessment<T> =
  | { readonly assessed: true; readonly value: T }
  | { readonly assessed: false; readonly reason: string };
