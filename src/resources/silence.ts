/** SQL: whether an agent, in the row of this name, has missed three of its reports. */
export const isSilent = (row: string) =>
  `${row}.last_seen_at < now() - make_interval(secs => 3 * ${row}.interval_seconds)`;
