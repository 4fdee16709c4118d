import type { Command } from 'commander';
import type { Storage } from '../../resources/storage.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { operator } from '../operator.ts';
import { deleteOf, exportOf } from './delete-organization.ts';
import { type DataOption, print, withData, withExport, withStorage } from './operator.ts';

interface Options extends DataOption {
  readonly json?: boolean;
}

export function addOrganizations(program: Command): void {
  const organizations = program
    .command('organizations')
    .description('create, list, export and delete organizations');
  withData(organizations.command('create').description('create an organization'))
    .requiredOption('--name <name>', 'display name, up to 200 characters')
    .option('--json', 'print JSON')
    .action(create);
  withData(organizations.command('list').description('list all organizations'))
    .option('--json', 'print JSON')
    .action(list);
  withData(organizations.command('export').description('export an organization to a file, without secrets'))
    .argument('<id>', 'organization ID')
    .argument('<file>', 'new file (tar.gz)')
    .option('--json', 'print JSON')
    .action(exportOf);
  withExport(organizations.command('delete').description('delete an organization with all its data'))
    .option('--without-damaged', 'delete damaged evidence, which an export cannot contain')
    .argument('<id>', 'organization ID')
    .action(deleteOf);
}

async function create(options: Options & { name: string }): Promise<void> {
  const name = options.name.trim();
  if (name === '' || name.length > 200) throw new ConfigurationError('--name must have 1 to 200 characters');
  const create = (storage: Storage) => storage.system.createOrganization(name, operator);
  const organization = await withStorage(options, create);
  print(options.json, organization, () => `${organization.id}  ${organization.name}`);
}

async function list(options: Options): Promise<void> {
  const organizations = await withStorage(options, storage => storage.system.allOrganizations());
  print(options.json, { organizations }, () =>
    organizations
      .map(({ id, created_at, name, deleted_at }) =>
        [id, created_at, name, ...(deleted_at === null ? [] : ['(being deleted)'])].join('  '),
      )
      .join('\n'),
  );
}
