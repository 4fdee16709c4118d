import { isUuid } from '../contract/uuid.ts';
import { ConfigurationError } from './configuration.ts';

/** Validates a UUID argument and returns it in lowercase. `name` is the option or argument in the error message. */
export function uuid(name: string, value: string): string {
  const id = value.toLowerCase();
  if (!isUuid(id)) {
    throw new ConfigurationError(`${name} must be a UUID`);
  }
  return id;
}
