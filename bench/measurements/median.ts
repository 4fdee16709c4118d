/** The middle of the values, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

/** The value that this share of all values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}
