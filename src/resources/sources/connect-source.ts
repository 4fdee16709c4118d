import type { TestError } from '../../contract/causes.ts';
import type { FieldError } from '../../contract/errors.ts';
import type {
  ConnectionTest,
  CreateSource,
  Credential,
  RiskStatement,
  Source,
  SourceKind,
} from '../../contract/sources.ts';
import type { TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { whileWanted } from '../../database/while-wanted.ts';
import { normalizeHost } from '../../domain/host.ts';
import { Refusal } from '../../domain/refusal.ts';
import { currentRiskStatement } from '../../domain/risk-statements.ts';
import {
  assertAllowed,
  assertCredentialFits,
  assertTakesCredential,
  type CredentialPermissions,
} from '../../domain/source-states.ts';
import { timestampOf } from '../../domain/timestamp.ts';
import { CredentialLost, type CredentialVault } from '../credentials/vault.ts';
import { reportedTest } from '../probes/probes.ts';
import { findSystem } from '../systems/systems.ts';
import {
  acceptRisk,
  assertRoomForSource,
  authorizeScan,
  createSource,
  disconnectSource,
  findSource,
  forgetTest,
  isConnectable,
  lockSource,
  recordTest,
} from './sources.ts';

// The steps from a draft to a scanned source, for keys and people alike. Each step takes the locked source, and refuses
// states that do not allow it.

/** Whether the host is an IP address to which this service never connects. */
export type IsBlockedAddress = (host: string) => boolean;

/**
 * Throws `not_found` if the organization has no such system, `invalid_body` for an invalid host, and
 * `too_many_sources`.
 *
 * @param isBlocked applies to sources that the service connects to: a probe is in the network of its sources. Keys register any address,
 * which the operator may allow later.
 */
export async function draftSource(
  transaction: TenantTransaction,
  input: CreateSource,
  isBlocked?: IsBlockedAddress,
): Promise<{ source: Source; risk_statement: RiskStatement }> {
  const host = normalizeHost(input.kind, input.host);
  if (input.connection_mode !== 'probe' && isBlocked?.(host)) {
    const message =
      'must be a public address, or one that the operator allows with PARAPET_TARGET_ALLOWLIST. A probe can assess any address in its network';
    throw new Refusal('invalid_body', { fields: [{ path: 'host', message }] });
  }
  if (!(await findSystem(transaction, input.system_id))) throw new Refusal('not_found');
  await assertRoomForSource(transaction, input.system_id);
  const source = await createSource(transaction, { ...input, host });
  return { source, risk_statement: currentRiskStatement(source.kind) };
}

/** @param version the statement that was read; the current one if missing. Throws `risk_statement_outdated`. */
export async function acceptCurrentRisk(
  transaction: TenantTransaction,
  { id, status, kind }: Source,
  version?: string,
): Promise<{ source: Source; risk_acceptance: { statement_version: string; accepted_at: string } }> {
  assertAllowed(status, 'accept_risk');
  const statement = currentRiskStatement(kind);
  if (version !== undefined && version !== statement.version)
    throw new Refusal('risk_statement_outdated', {
      risk_statement: statement,
      fields: [{ path: 'statement_version', message: `must be ${statement.version}` }],
    });
  const { source, acceptedAt } = await acceptRisk(transaction, id, statement.version);
  return { source, risk_acceptance: { statement_version: statement.version, accepted_at: acceptedAt } };
}

/**
 * A tested source becomes pending again, since the new credential is untested. Throws like `assertTakesCredential` and
 * `assertCredentialFits`, and `invalid_body` for a malformed credential.
 */
export async function submitCredential(
  transaction: TenantTransaction,
  source: Source,
  credential: Credential,
  services: {
    readonly vault: CredentialVault;
    readonly permissions: CredentialPermissions;
    readonly credentialProblems: CredentialProblems;
  },
): Promise<{ source: Source; credential: { type: Credential['type']; stored_at: string } }> {
  assertTakesCredential(source, services.permissions);
  assertCredentialFits(source.kind, credential.type);
  const fields = services.credentialProblems(source.kind, credential);
  if (fields.length > 0) throw new Refusal('invalid_body', { fields });
  const storedAt = await services.vault.store(transaction, source.id, credential);
  const untested = await forgetTest(transaction, source.id);
  return { source: untested, credential: { type: credential.type, stored_at: storedAt } };
}

/** Keeps the time of the first authorization. */
export async function authorizeSource(transaction: TenantTransaction, source: Source): Promise<Source> {
  assertAllowed(source.status, 'authorize_scan');
  return source.scan_authorized_at ? source : authorizeScan(transaction, source.id);
}

export async function disconnect(transaction: TenantTransaction, source: Source): Promise<Source> {
  return source.status === 'disconnected' ? source : disconnectSource(transaction, source.id);
}

const failedTest = (error_code: TestError): ConnectionTest => ({
  ok: false,
  checked_at: timestampOf(new Date()),
  latency_ms: 0,
  error_code,
});

/**
 * The problems of a malformed credential of the right type; empty if it is well-formed. Does not repeat the credential.
 */
export type CredentialProblems = (kind: SourceKind, credential: Credential) => readonly FieldError[];

/** Connects to a source once, without a scan. Never rejects because of the target. */
export type TestConnection = (
  source: Source,
  credential: Credential | undefined,
  task: { readonly organizationId: string; readonly signal: AbortSignal },
) => Promise<ConnectionTest>;

/**
 * Tests the connection and stores the result as the source's status, unless its credential was replaced meanwhile. No
 * transaction is open during the test, and disconnecting the source aborts it. Throws `not_found`.
 */
export async function testSource(
  store: TenantStore,
  id: string,
  services: {
    readonly vault: CredentialVault;
    readonly testConnection: TestConnection;
  },
): Promise<{ source: Source; test: ConnectionTest }> {
  const { vault } = services;
  const [before, version] = await store.read(session =>
    Promise.all([findSource(session, id), vault.version(session, id)]),
  );
  if (!before) throw new Refusal('not_found');
  assertAllowed(before.status, 'test');
  const { organizationId } = store;
  const test = await whileWanted(
    () => isConnectable(store, id),
    async signal => {
      if (before.connection_mode === 'probe') return store.read(session => reportedTest(session, id));
      const credential = await vault.open(store, id);
      return services.testConnection(before, credential, { organizationId, signal });
    },
  ).catch(error => {
    if (error instanceof CredentialLost) return failedTest('credential_lost');
    throw error;
  });
  return store.transaction(async transaction => {
    const now = await lockSource(transaction, id);
    if (!now) throw new Refusal('not_found');
    assertAllowed(now.status, 'test');
    // A test is aborted only for a disconnected source, for which `assertAllowed` throws.
    if (!test) throw new Refusal('source_is_disconnected');
    // A result for a replaced credential does not apply to the new one, and an old report not to now: probes set the status.
    const decidesStatus =
      before.connection_mode !== 'probe' && (await vault.version(transaction, id)) === version;
    return { source: await recordTest(transaction, id, test, decidesStatus), test };
  });
}
