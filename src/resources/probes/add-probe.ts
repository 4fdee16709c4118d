import type { MintedApiKey } from '../../contract/dashboard/keys.ts';
import { type AddedProbe, type AddProbe, mostTargets } from '../../contract/dashboard/probes.ts';
import type { CreateSource, Source } from '../../contract/sources.ts';
import type { TenantTransaction } from '../../database/tenant-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import { assertRoomForKey, findApiKey } from '../keys/api-keys.ts';
import { mintApiKey } from '../keys/mint-api-key.ts';
import { acceptCurrentRisk, authorizeSource, draftSource } from '../sources/connect-source.ts';
import { lockSource } from '../sources/sources.ts';
import { findSystem } from '../systems/systems.ts';

/**
 * Prepares everything that a new probe needs: its sources, with the risk accepted and scans authorized, and its key. The
 * probe itself appears with its first report. Throws `not_found` if there is no such system, `invalid_body`, and the
 * refusals of each step.
 */
export async function addProbe(
  transaction: TenantTransaction,
  systemId: string,
  { name, sources, new_sources, statement_versions }: AddProbe,
): Promise<AddedProbe> {
  const ids = sources.map(id => id.toLowerCase());
  const count = ids.length + new_sources.length;
  if (count === 0 || count > mostTargets || new Set(ids).size < ids.length) {
    throw refused('sources', `must be different and, with new_sources, 1 to ${mostTargets}`);
  }
  if (!(await findSystem(transaction, systemId))) throw new Refusal('not_found');
  const named = await transaction.query({
    text: 'select from probes where system_id = $1 and name = $2 and removed_at is null',
    values: [systemId, name],
  });
  if (named.length > 0) throw refused('name', 'is the name of another probe of this system');
  await assertRoomForKey(transaction);
  const drafts: Source[] = [];
  // In one order, so that two transactions never wait for each other.
  for (const id of ids.toSorted()) drafts.push(await lockProbeSource(transaction, { id, systemId }));
  for (const [index, source] of new_sources.entries()) {
    drafts.push(await draftNumbered(transaction, index, { ...source, system_id: systemId }));
  }
  const ready: Source[] = [];
  for (const draft of drafts) {
    const version = statement_versions[draft.kind] ?? '';
    const { source } = await acceptCurrentRisk(transaction, draft, version);
    ready.push(await authorizeSource(transaction, source));
  }
  const key = await mintProbeKey(transaction, { name: `Probe ${name}`, systemId, allowedAddresses: [] });
  return { sources: ready, key };
}

/**
 * A new key for a probe, with the name and allowed addresses of its current one, which stays valid. Throws `not_found`
 * if there is no such probe.
 */
export async function mintNextKey(transaction: TenantTransaction, probeId: string): Promise<MintedApiKey> {
  const [probe] = await transaction.query<{ name: string; system_id: string; key_id: string }>({
    text: 'select name, system_id, key_id from probes where id = $1 and removed_at is null',
    values: [probeId],
  });
  if (!probe) throw new Refusal('not_found');
  await assertRoomForKey(transaction);
  const current = await findApiKey(transaction, probe.key_id);
  return mintProbeKey(transaction, {
    name: current?.name ?? `Probe ${probe.name}`,
    systemId: probe.system_id,
    allowedAddresses: current?.allowed_addresses ?? [],
  });
}

async function mintProbeKey(
  transaction: TenantTransaction,
  options: {
    readonly name: string;
    readonly systemId: string;
    readonly allowedAddresses: readonly string[];
  },
): Promise<MintedApiKey> {
  const minted = await mintApiKey(transaction, { ...options, kind: 'probe', scopes: ['ingest'] });
  const { token, token_id, signing_key } = minted;
  return { key: (await findApiKey(transaction, token_id))!, token, token_id, signing_key };
}

async function lockProbeSource(
  transaction: TenantTransaction,
  { id, systemId }: { readonly id: string; readonly systemId: string },
): Promise<Source> {
  const source = await lockSource(transaction, id);
  if (source?.system_id === systemId && source.connection_mode === 'probe') return source;
  throw refused('sources', 'must be sources in probe mode of this system');
}

/** Errors name the source by its place. */
async function draftNumbered(
  transaction: TenantTransaction,
  index: number,
  input: CreateSource,
): Promise<Source> {
  try {
    return (await draftSource(transaction, { ...input, connection_mode: 'probe' })).source;
  } catch (error) {
    if (!(error instanceof Refusal && error.details.fields)) throw error;
    const fields = error.details.fields.map(field => ({
      ...field,
      path: `new_sources.${index}.${field.path}`,
    }));
    throw new Refusal(error.code, { ...error.details, fields });
  }
}

function refused(path: string, message: string): Refusal {
  return new Refusal('invalid_body', { fields: [{ path, message }] });
}
