/** Caches the result of `compute` for some milliseconds. Concurrent calls share one computation. */
export function keptFor<T>(milliseconds: number, compute: () => Promise<T>): () => Promise<T> {
  let kept: { readonly value: Promise<T>; readonly until: number } | undefined;
  return () => {
    const now = performance.now();
    if (!kept || now > kept.until) kept = { value: compute(), until: now + milliseconds };
    return kept.value;
  };
}
