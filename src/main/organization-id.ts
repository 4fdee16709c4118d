import { readUuid } from '../contract/uuid.ts';
import type { Storage } from '../resources/storage.ts';
import { ConfigurationError } from './configuration-error.ts';

/** Validates a UUID argument and returns it in lowercase. `name` is the option or argument in the error message. */
export function givenId(name: string, value: string): string {
  const id = readUuid(value);
  if (!id) throw new ConfigurationError(`${name} must be a UUID`);
  return id;
}

/** Validates `--organization`. Throws `ConfigurationError` if it does not exist. */
export async function organizationId({ system }: Pick<Storage, 'system'>, given: string): Promise<string> {
  const id = givenId('--organization', given);
  const organizations = await system.listOrganizations();
  if (!organizations.some(known => known.id === id)) {
    throw new ConfigurationError(`organization ${id} not found`);
  }
  return id;
}
