import type { Storage } from '../resources/storage.ts';
import { ConfigurationError } from './configuration.ts';
import { uuid } from './uuid.ts';

/** The `--organization` of an operator's command, which must be there. */
export async function organizationId({ system }: Pick<Storage, 'system'>, given: string): Promise<string> {
  const id = uuid('--organization', given);
  const organizations = await system.listOrganizations();
  if (!organizations.some(known => known.id === id)) {
    throw new ConfigurationError(`there is no organization ${id}`);
  }
  return id;
}
