/**
 * What a surface collected of one thing, as plain data that survives JSON. A part that was not assessed has the reason,
 * and counts as neither good nor bad.
 */
export type Assessment<T> =
  | { readonly assessed: true; readonly value: T }
  | { readonly assessed: false; readonly reason: string };

/** @param reason one sentence, without secrets */
export const notAssessed = (reason: string) => ({ assessed: false, reason }) as const;
