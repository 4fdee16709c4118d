/** One mistake in a configuration file. */
export interface Mistake {
  /** Null for the file as a whole. */
  readonly line: number | null;
  readonly message: string;
}

/** A configuration that cannot be used. The message names every mistake with its line, and never a secret. */
export class AgentConfigurationError extends Error {
  override readonly name = 'AgentConfigurationError';

  constructor(file: string, mistakes: readonly Mistake[]) {
    const lines = mistakes
      .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
      .map(({ line, message }) => (line === null ? `${file} ${message}` : `${file}:${line}: ${message}`));
    super(lines.join('\n'));
  }
}
