import { ConfigurationError } from './configuration.ts';

/** A UUID of the command line, in lower case. `name` is what it is called there. */
export function uuid(name: string, value: string): string {
  const id = value.toLowerCase();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) {
    throw new ConfigurationError(`${name} must be a UUID`);
  }
  return id;
}
