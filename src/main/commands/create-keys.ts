import type { Command } from 'commander';
import { AddressRangeError } from '../../contract/address-ranges.ts';
import {
  dashboardScopes,
  type KeyKind,
  keyKinds,
  maxAllowedAddresses,
  type Overlap,
  overlaps,
} from '../../contract/keys.ts';
import { nameText } from '../../contract/values.ts';
import { normalizeAllowedAddresses } from '../../domain/allowed-addresses.ts';
import { problemOfKey } from '../../domain/key-request.ts';
import { scopesOf } from '../../domain/scopes.ts';
import { linearAjv } from '../../http/validation.ts';
import { type MintedApiKey, mintApiKey } from '../../resources/keys/mint-api-key.ts';
import { rotateApiKey } from '../../resources/keys/rotate-api-key.ts';
import { findSystem } from '../../resources/systems/systems.ts';
import { ConfigurationError } from '../configuration-error.ts';
import { operator } from '../operator.ts';
import { givenId, organizationId } from '../organization-id.ts';
import { explainRefusal, fromAddresses, readTime, tenantOfKey } from './key-values.ts';
import { type DataOption, print, repeatable, withData, withStorage } from './operator.ts';

interface MintOptions extends DataOption {
  readonly organization: string;
  readonly name?: string;
  readonly kind: string;
  readonly system?: string;
  readonly scope?: readonly string[];
  readonly expires?: string;
  readonly privileged?: boolean;
  readonly address?: readonly string[];
  readonly json?: boolean;
}

export function addCreateKeys(keys: Command): void {
  withData(keys.command('mint').description('create an API key and print its three values once'))
    .requiredOption('--organization <id>', 'organization ID')
    .option('--name <name>', 'what the key is used for')
    .option('--kind <kind>', 'dashboard or probe', 'dashboard')
    .option('--system <id>', 'system ID, required for a probe key')
    .option(
      '--scope <scope>',
      `only this scope of a dashboard key; repeatable: ${dashboardScopes.join(', ')}`,
      repeatable,
    )
    .option('--privileged', 'add the sources:privileged scope')
    .option('--expires <time>', 'ISO 8601 with a UTC offset, or days from now such as 90d (default: 365d)')
    .option('--address <cidr>', 'allow the key only from this IP address or CIDR; repeatable', repeatable)
    .option('--json', 'print JSON')
    .action(mint);
  withData(
    keys
      .command('rotate')
      .description('replace a key with a new one that has the same kind, system, scopes, name and lifetime')
      .argument('<token-id>'),
  )
    .option('--overlap <time>', `how long the old key stays valid: ${Object.keys(overlaps).join(', ')}`, '7d')
    .option('--json', 'print JSON')
    .action(rotate);
}

async function mint(options: MintOptions): Promise<void> {
  const kind = options.kind as KeyKind;
  if (!keyKinds.includes(kind)) throw new ConfigurationError('--kind must be dashboard or probe');
  const { name, privileged = false } = options;
  if (name !== undefined && !linearAjv().validate(nameText(100), name)) {
    throw new ConfigurationError('--name must be a single line of at most 100 visible characters');
  }
  const chosen = options.scope?.map(scope => oneOf('--scope', scope, dashboardScopes));
  const expiresAt = options.expires === undefined ? undefined : readExpiry(options.expires);
  assertPossible(kind, { systemId: options.system ?? null, privileged, scopes: chosen, expiresAt });
  const scopes = scopesOf(kind, { privileged, ...(chosen ? { chosen } : {}) });
  const allowedAddresses = normalized(options.address ?? []);
  const minted = await withStorage(options, async storage => {
    const store = storage.tenant(await organizationId(storage, options.organization), operator);
    const systemId = options.system ? givenId('--system', options.system) : null;
    return store.transaction(async transaction => {
      if (systemId && !(await findSystem(transaction, systemId))) {
        throw new ConfigurationError(`system ${systemId} not found in this organization`);
      }
      return mintApiKey(transaction, { name, kind, systemId, scopes, expiresAt, allowedAddresses });
    });
  });
  print(options.json, minted, () => valuesOf(minted, allowedAddresses));
}

function valuesOf(minted: MintedApiKey, allowedAddresses: readonly string[]): string {
  return [
    'Store these values now. They are not shown again and cannot be recovered.',
    `PARAPET_TOKEN=${minted.token}`,
    `PARAPET_TOKEN_ID=${minted.token_id}`,
    `PARAPET_SIGNING_KEY=${minted.signing_key}`,
    `# scopes ${minted.scopes.join(' ')}; expires ${minted.expires_at}${fromAddresses(allowedAddresses, '; ')}`,
  ].join('\n');
}

async function rotate(
  tokenId: string,
  options: DataOption & { readonly overlap: string; readonly json?: boolean },
): Promise<void> {
  const overlap = oneOf('--overlap', options.overlap, Object.keys(overlaps) as Overlap[]);
  const { minted, replaced } = await withStorage(options, async storage => {
    const store = await tenantOfKey(storage, tokenId);
    return store.transaction(transaction => rotateApiKey(transaction, tokenId.toLowerCase(), overlap));
  }).catch(explainRefusal);
  const { token_id, expires_at, allowed_addresses } = replaced;
  print(options.json, { ...minted, replaced: { token_id, expires_at } }, () =>
    [valuesOf(minted, allowed_addresses), `# replaces ${token_id}, which expires ${expires_at}`].join('\n'),
  );
}

function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find(candidate => candidate === value);
  if (found === undefined) throw new ConfigurationError(`${option} must be one of ${allowed.join(', ')}`);
  return found;
}

/** @throws ConfigurationError that names the option */
function assertPossible(kind: KeyKind, request: Omit<Parameters<typeof problemOfKey>[0], 'kind'>): void {
  const problem = problemOfKey({ kind, ...request }, new Date());
  if (!problem) return;
  const options: Record<string, string> = {
    system_id: '--system',
    scopes: '--scope',
    expires_at: '--expires',
  };
  throw new ConfigurationError(`${options[problem.path] ?? `--${problem.path}`} ${problem.message}`);
}

function readExpiry(given: string): Date {
  const [, days] = /^([1-9]\d{0,2})d$/.exec(given) ?? [];
  return days ? new Date(Date.now() + Number(days) * 24 * 3_600_000) : readTime('--expires', given);
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
