/** An invalid environment variable or option. `message` is one line for the operator. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
