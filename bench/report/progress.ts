/** Writes a line to standard error, with the seconds since the start. */
export const progress = (line: string) =>
  void process.stderr.write(`${(performance.now() / 1_000).toFixed(0).padStart(4)} s  ${line}\n`);
