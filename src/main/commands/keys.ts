import type { Command } from 'commander';
import { AddressRangeError } from '../../contract/address-ranges.ts';
import { errorCatalogue } from '../../contract/errors.ts';
import { type KeyKind, keyKinds, maxAllowedAddresses } from '../../contract/keys.ts';
import { Timestamp } from '../../contract/values.ts';
import type { TenantStore } from '../../database/tenant-store.ts';
import { normalizeAllowedAddresses } from '../../domain/allowed-addresses.ts';
import { Refusal } from '../../domain/refusal.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import { linearAjv } from '../../http/validation.ts';
import {
  type ApiKeyListing,
  expireApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../resources/keys/api-keys.ts';
import { mintApiKey } from '../../resources/keys/mint-api-key.ts';
import type { Storage } from '../../resources/storage.ts';
import { findSystem } from '../../resources/systems/systems.ts';
import { readConfiguration } from '../configuration.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { operator } from '../operator.ts';
import { givenId, organizationId } from '../organization-id.ts';
import { type DataOption, print, repeatable, withData, withStorage } from './operator.ts';

interface MintOptions extends DataOption {
  readonly organization: string;
  readonly kind: string;
  readonly system?: string;
  readonly privileged?: boolean;
  readonly address?: readonly string[];
  readonly json?: boolean;
}

export function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('manage API keys and the master key, as the operator of the host');
  withData(keys.command('mint').description('create an API key and print its three values once'))
    .requiredOption('--organization <id>', 'organization ID')
    .option('--kind <kind>', 'dashboard or probe', 'dashboard')
    .option('--system <id>', 'system ID, required for a probe key')
    .option('--privileged', 'add the sources:privileged scope')
    .option('--address <cidr>', 'allow the key only from this IP address or CIDR; repeatable', repeatable)
    .option('--json', 'print JSON')
    .action(mint);
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

async function mint(options: MintOptions): Promise<void> {
  const kind = options.kind as KeyKind;
  if (!keyKinds.includes(kind)) throw new ConfigurationError('--kind must be dashboard or probe');
  if (kind === 'probe' && !options.system) throw new ConfigurationError('a probe key requires --system');
  if (kind === 'probe' && options.privileged)
    throw new ConfigurationError('--privileged is not available for probe keys, which can only ingest');
  if (kind === 'dashboard' && options.system)
    throw new ConfigurationError('--system is only available for probe keys');
  const allowedAddresses = normalized(options.address ?? []);
  const minted = await withStorage(options, async storage => {
    const store = await tenantOf(storage, options.organization);
    const systemId = options.system ? givenId('--system', options.system) : null;
    return store.transaction(async transaction => {
      if (systemId && !(await findSystem(transaction, systemId))) {
        throw new ConfigurationError(`system ${systemId} not found in this organization`);
      }
      const { privileged = false } = options;
      return mintApiKey(transaction, { kind, systemId, privileged, allowedAddresses });
    });
  });
  print(options.json, minted, () =>
    [
      'Store these values now. They are not shown again and cannot be recovered.',
      `PARAPET_TOKEN=${minted.token}`,
      `PARAPET_TOKEN_ID=${minted.token_id}`,
      `PARAPET_SIGNING_KEY=${minted.signing_key}`,
      `# scopes ${minted.scopes.join(' ')}; expires ${minted.expires_at}${from(allowedAddresses, '; ')}`,
    ].join('\n'),
  );
}

function normalized(entries: readonly string[]): string[] {
  if (entries.length > maxAllowedAddresses) {
    throw new ConfigurationError(`a key can have at most ${maxAllowedAddresses} --address entries`);
  }
  try {
    return normalizeAllowedAddresses(entries);
  } catch (error) {
    if (error instanceof AddressRangeError) throw new ConfigurationError(`--address ${error.message}`);
    throw error;
  }
}

/** Empty for a key without an address allowlist. */
function from(addresses: readonly string[], separator: string): string {
  return addresses.length === 0 ? '' : `${separator}from ${addresses.join(' ')}`;
}

async function revoke(tokenId: string, options: DataOption): Promise<void> {
  const done = await withStorage(options, async storage => {
    const store = await tenantOfKey(storage, tokenId);
    return store.transaction(transaction => revokeApiKey(transaction, tokenId));
  });
  process.stdout.write(done ? `Revoked ${tokenId}\n` : `${tokenId} is already revoked\n`);
}

async function expire(tokenId: string, options: DataOption & { at: string }): Promise<void> {
  // JavaScript's Date accepts February 30 as March 2.
  if (!linearAjv().validate(Timestamp, options.at)) {
    throw new ConfigurationError('--at must be ISO 8601 with a UTC offset, such as 2026-12-31T00:00:00Z');
  }
  const at = new Date(options.at);
  await withStorage(options, async storage => {
    const store = await tenantOfKey(storage, tokenId);
    await store.transaction(transaction => expireApiKey(transaction, tokenId, at));
  }).catch(error => {
    if (error instanceof Refusal) throw new ConfigurationError(errorCatalogue[error.code].error);
    throw error;
  });
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
        return `${of}${key.token_id}  ${key.kind}  ${state}  last used ${key.last_used_at ?? 'never'}  ${key.scopes.join(' ')}${from(key.allowed_addresses, '  ')}`;
      })
      .join('\n'),
  );
}

async function tenantOf(storage: Storage, organization: string): Promise<TenantStore> {
  return storage.tenant(await organizationId(storage, organization), operator);
}

async function tenantOfKey(storage: Storage, tokenId: string): Promise<TenantStore> {
  const key = await storage.lookups.findApiKey(givenId('<token-id>', tokenId));
  if (typeof key !== 'object') throw new ConfigurationError(`key ${tokenId} not found`);
  return storage.tenant(key.organizationId, operator);
}
