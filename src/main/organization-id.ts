import type { Storage } from '../resources/storage.ts';
import { ConfigurationError } from './configuration.ts';
import { uuid } from './uuid.ts';

/** Validates `--organization`. Throws `ConfigurationError` if it does not exist. */
export async function organizationId({ system }: Pick<Storage, 'system'>, given: string): Promise<string> {
  const id = uuid('--organization', given);
  const organizations = await system.listOrganizations();
  if (!organizations.some(known => known.id === id)) {
    throw new ConfigurationError(`organization ${id} not found`);
  }
  return id;
}
