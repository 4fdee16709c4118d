import type { ConnectionTest, CreateSource, Credential, RiskStatement, Source } from '../contract/sources.ts';
import { normalizeHost } from '../domain/host.ts';
import { Refusal } from '../domain/refusal.ts';
import { currentRiskStatement } from '../domain/risk-statements.ts';
import { assertAllowed, assertCredentialFits, isPrivileged } from '../domain/source-states.ts';
import type { CredentialVault } from './credentials/vault.ts';
import {
  acceptRisk,
  assertRoomForSource,
  authorizeScan,
  createSource,
  disconnectSource,
  findSource,
  lockSource,
  recordTest,
} from './sources.ts';
import { findSystem } from './systems.ts';
import type { TenantStore, TenantTransaction } from './tenant-store.ts';

// What leads a source from a draft to one that is scanned, for keys and people alike. Each step takes the source as it
// is, locked, and refuses what its state does not allow.

/**
 * Throws `not_found` where the organization has no such system, `invalid_body` for a host that cannot be one, and
 * `too_many_sources`.
 */
export async function draftSource(
  transaction: TenantTransaction,
  input: CreateSource,
): Promise<{ source: Source; risk_statement: RiskStatement }> {
  const host = normalizeHost(input.kind, input.host);
  if (!(await findSystem(transaction, input.system_id))) throw new Refusal('not_found');
  await assertRoomForSource(transaction, input.system_id);
  const source = await createSource(transaction, { ...input, host });
  return { source, risk_statement: currentRiskStatement(source.kind) };
}

/** @param version the statement that was read; the current one where it is not said. Throws `risk_statement_outdated`. */
export async function acceptCurrentRisk(
  transaction: TenantTransaction,
  { id, status, kind }: Source,
  version?: string,
): Promise<{ source: Source; risk_acceptance: { statement_version: string; accepted_at: string } }> {
  assertAllowed(status, 'accept_risk');
  const statement = currentRiskStatement(kind);
  if (version !== undefined && version !== statement.version)
    throw new Refusal('risk_statement_outdated', { risk_statement: statement });
  const { source, acceptedAt } = await acceptRisk(transaction, id, statement.version);
  return { source, risk_acceptance: { statement_version: statement.version, accepted_at: acceptedAt } };
}

/** Throws `privileged_connections_disabled`, `source_is_probe_mode` and `credential_not_applicable`. */
export async function submitCredential(
  transaction: TenantTransaction,
  { id, kind, status, connection_mode }: Source,
  credential: Credential,
  services: { readonly vault: CredentialVault; readonly privilegedConnections: boolean },
): Promise<{ source: Source; credential: { type: Credential['type']; stored_at: string } }> {
  if (isPrivileged(kind) && !services.privilegedConnections)
    throw new Refusal('privileged_connections_disabled');
  assertAllowed(status, 'store_credential');
  if (connection_mode === 'probe') throw new Refusal('source_is_probe_mode');
  assertCredentialFits(kind, credential.type);
  const storedAt = await services.vault.store(transaction, id, credential);
  const source = await findSource(transaction, id);
  return { source: source!, credential: { type: credential.type, stored_at: storedAt } };
}

/** What was authorized stays so since the first time. */
export async function authorizeSource(transaction: TenantTransaction, source: Source): Promise<Source> {
  assertAllowed(source.status, 'authorize_scan');
  return source.scan_authorized_at ? source : authorizeScan(transaction, source.id);
}

export async function disconnect(transaction: TenantTransaction, source: Source): Promise<Source> {
  return source.status === 'disconnected' ? source : disconnectSource(transaction, source.id);
}

/** Connects to a source once, without a scan. Never rejects for what the target does. */
export type TestConnection = (
  source: Source,
  credential: Credential | undefined,
  organizationId: string,
) => Promise<ConnectionTest>;

/**
 * Tests the connection and keeps what came of it. The connection takes its time: no transaction is open meanwhile, and
 * what came to be in between is asked again. Throws `not_found`.
 */
export async function testSource(
  store: TenantStore,
  id: string,
  services: {
    readonly vault: CredentialVault;
    readonly testConnection: TestConnection;
  },
): Promise<{ source: Source; test: ConnectionTest }> {
  const before = await store.read(session => findSource(session, id));
  if (!before) throw new Refusal('not_found');
  assertAllowed(before.status, 'test');
  const credential = await services.vault.open(store, id);
  const test = await services.testConnection(before, credential, store.organizationId);
  const source = await store.transaction(async transaction => {
    const now = await lockSource(transaction, id);
    if (!now) throw new Refusal('not_found');
    assertAllowed(now.status, 'test');
    return recordTest(transaction, id, test);
  });
  return { source, test };
}
