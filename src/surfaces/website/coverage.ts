/**
 * Whether a full scan may request more than a safe one: `if_trusted` only over a connection whose certificate is
 * trusted for the host, `by_file` only with the proof file on the site.
 */
export type Coverage = 'covered' | 'if_trusted' | 'by_file' | 'none';
