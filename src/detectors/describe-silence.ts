/** When the last report came, and how often one should, as a finding states them for as long as it is kept. */
export function describeSilence(
  collectedAt: string,
  silentSeconds: number,
  intervalSeconds: number,
): { readonly lastReport: string; readonly interval: string } {
  const last = new Date(Date.parse(collectedAt) - silentSeconds * 1000).toISOString();
  return {
    lastReport: `${last.slice(0, 10)} ${last.slice(11, 16)} UTC`,
    interval: durationOf(intervalSeconds),
  };
}

function durationOf(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
