/** What is computed at most once in so many milliseconds, however many ask. */
export function keptFor<T>(milliseconds: number, compute: () => Promise<T>): () => Promise<T> {
  let kept: { readonly value: Promise<T>; readonly until: number } | undefined;
  return () => {
    const now = performance.now();
    if (!kept || now > kept.until) kept = { value: compute(), until: now + milliseconds };
    return kept.value;
  };
}
