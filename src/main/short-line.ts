/** Lengths to which texts are cut until the line is short enough. */
const lengths = [1_000, 200, 40];

/** A log line of at most this many bytes: its longest texts are cut, and `cut` says so. */
export function shortLine(line: string, bytes: number): string {
  // A character is at most three bytes.
  if (line.length * 3 <= bytes || Buffer.byteLength(line) <= bytes) return line;
  const entry = JSON.parse(line) as Record<string, unknown>;
  for (const length of lengths) {
    const short = `${JSON.stringify({ ...entry, cut: true }, (_key, value) => shortText(value, length))}\n`;
    if (Buffer.byteLength(short) <= bytes) return short;
  }
  const { level, time, pid, msg } = entry;
  return `${JSON.stringify({ level, time, pid, msg: shortText(msg, lengths[0]!), cut: true })}\n`;
}

function shortText(value: unknown, length: number): unknown {
  return typeof value === 'string' && value.length > length ? `${value.slice(0, length)}…` : value;
}
