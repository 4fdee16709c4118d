import { isUuid } from '../contract/uuid.ts';
import { ConfigurationError } from './configuration.ts';

/** A UUID of the command line, in lower case. `name` is what it is called there. */
export function uuid(name: string, value: string): string {
  const id = value.toLowerCase();
  if (!isUuid(id)) {
    throw new ConfigurationError(`${name} must be a UUID`);
  }
  return id;
}
