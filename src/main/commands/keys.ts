import type { Command } from 'commander';
import { timestampOf } from '../../domain/timestamp.ts';
import {
  type ApiKeyListing,
  expireApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../resources/keys/api-keys.ts';
import type { Storage } from '../../resources/storage.ts';
import { readConfiguration } from '../configuration.ts';
import { operator } from '../operator.ts';
import { organizationId } from '../organization-id.ts';
import { addCreateKeys } from './create-keys.ts';
import { explainRefusal, fromAddresses, readTime, tenantOfKey } from './key-values.ts';
import { type DataOption, print, withData, withStorage } from './operator.ts';

export function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('manage API keys and the master key, as the operator of the host');
  addCreateKeys(keys);
  withData(keys.command('revoke').description('revoke a key permanently').argument('<token-id>')).action(
    revoke,
  );
  withData(keys.command('expire').description('set an earlier expiry for a key').argument('<token-id>'))
    .requiredOption('--at <time>', 'ISO 8601 with a UTC offset, such as 2026-12-31T00:00:00Z')
    .action(expire);
  withData(keys.command('list').description('list API keys'))
    .option('--organization <id>', 'only those of the organization')
    .option('--json', 'print JSON')
    .action(list);
  withData(keys.command('rotate-master').description('rotate the master key without stopping the service'))
    .option('--json', 'print JSON')
    .action(rotateMaster);
}

async function rotateMaster(options: DataOption & { json?: boolean }): Promise<void> {
  const rotate = (storage: Storage) =>
    storage.rotateMasterKey(operator, rewrapped => {
      if (process.stderr.isTTY) process.stderr.write(`\r${rewrapped} records`);
    });
  const rotation = await withStorage(options, rotate, { needsKeys: true });
  if (process.stderr.isTTY) process.stderr.write('\r');
  const { rewrapped, masterKeyId } = rotation;
  print(options.json, { rewrapped, master_key_id: masterKeyId }, () =>
    [
      `Rewrapped ${rewrapped} records. All records now use master key ${masterKeyId}.`,
      ...(readConfiguration(process.env, options).masterKey
        ? [
            'When every node uses this PARAPET_MASTER_KEY, run this command again, then remove PARAPET_OTHER_MASTER_KEYS.',
          ]
        : []),
    ].join('\n'),
  );
}

async function revoke(tokenId: string, options: DataOption): Promise<void> {
  const done = await withStorage(options, async storage => {
    const store = await tenantOfKey(storage, tokenId);
    return store.transaction(transaction => revokeApiKey(transaction, tokenId));
  });
  process.stdout.write(done ? `Revoked ${tokenId}\n` : `${tokenId} is already revoked\n`);
}

async function expire(tokenId: string, options: DataOption & { at: string }): Promise<void> {
  const at = readTime('--at', options.at);
  await withStorage(options, async storage => {
    const store = await tenantOfKey(storage, tokenId);
    await store.transaction(transaction => expireApiKey(transaction, tokenId, at));
  }).catch(explainRefusal);
  const verb = at.getTime() <= Date.now() ? 'expired at' : 'expires at';
  process.stdout.write(`${tokenId} ${verb} ${timestampOf(at)}\n`);
}

async function list(options: DataOption & { organization?: string; json?: boolean }): Promise<void> {
  const keys = await withStorage(options, async storage => {
    const { organization } = options;
    const ids = organization
      ? [await organizationId(storage, organization)]
      : (await storage.system.listOrganizations()).map(({ id }) => id);
    const found: (ApiKeyListing & { readonly organization_id: string })[] = [];
    for (const id of ids) {
      const listed = await storage.tenant(id, operator).read(listApiKeys);
      found.push(...listed.map(key => ({ organization_id: id, ...key })));
    }
    return found;
  });
  print(options.json, { keys }, () =>
    keys
      .map(key => {
        const expiry = Date.parse(key.expires_at) <= Date.now() ? 'expired' : 'expires';
        const state = key.revoked_at ? `revoked ${key.revoked_at}` : `${expiry} ${key.expires_at}`;
        const of = options.organization ? '' : `${key.organization_id}  `;
        return `${of}${key.token_id}  ${key.name ? `${key.name}  ` : ''}${key.kind}  ${state}  last used ${key.last_used_at ?? 'never'}  ${key.scopes.join(' ')}${fromAddresses(key.allowed_addresses, '  ')}`;
      })
      .join('\n'),
  );
}
