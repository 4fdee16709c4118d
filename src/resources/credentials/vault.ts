import type { Credential } from '../../contract/sources.ts';
import { storingLock } from '../../database/advisory-locks.ts';
import type { Statement } from '../../database/connection.ts';
import type { TenantSession, TenantStore, TenantTransaction } from '../../database/tenant-store.ts';
import { type Envelope, seal, unseal } from './envelope.ts';
import type { KeyRing } from './key-ring.ts';

interface CredentialRow extends Envelope {
  readonly organizationId: string;
}

/** The credential is encrypted under a master key that the operator has declared lost, and must be stored again. */
export class CredentialLost extends Error {
  override readonly name = 'CredentialLost';
}

/** Stores credentials encrypted. The only place that decrypts them, for connections to the source. */
export class CredentialVault {
  readonly #ring: KeyRing;

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  /** Replaces the source's credential. Returns the time it was stored. */
  async store(transaction: TenantTransaction, sourceId: string, credential: Credential): Promise<string> {
    const [bound] = await transaction.query<{ id: string }>({ text: 'select id from organizations' });
    // Kept until the transaction ends: a rotation waits for stores that use the previous key.
    await transaction.query({ text: `select pg_advisory_xact_lock_shared(${storingLock})` });
    const master = await this.#ring.current();
    const envelope = seal(JSON.stringify(credential), contextOf(bound!.id, sourceId), master);
    const rows = await transaction.query<{ stored_at: string }>({
      text: `insert into source_credentials (source_id, type, master_key_id, wrapped_key, ciphertext)
        values ($1, $2, $3, $4, $5)
        on conflict (organization_id, source_id) do update set type = excluded.type, stored_at = now(),
          master_key_id = excluded.master_key_id, wrapped_key = excluded.wrapped_key, ciphertext = excluded.ciphertext
        returning stored_at`,
      values: [sourceId, credential.type, envelope.masterKeyId, envelope.wrappedKey, envelope.ciphertext],
    });
    transaction.audit({
      action: 'source.credential_stored',
      objectKind: 'source',
      objectId: sourceId,
      detail: { type: credential.type },
    });
    return rows[0]!.stored_at;
  }

  /** Identifies the stored credential of the source; undefined if there is none. A key rotation does not change it. */
  async version(session: TenantSession, sourceId: string): Promise<string | undefined> {
    const rows = await session.query<{ version: string }>({
      text: `select encode(sha256(ciphertext), 'hex') as version from source_credentials where source_id = $1`,
      values: [sourceId],
    });
    return rows[0]?.version;
  }

  /**
   * The decrypted credential, or undefined if the source has none. Never return it to a client, log it or keep it.
   * Throws `CredentialLost`.
   */
  async open(session: TenantSession | TenantStore, sourceId: string): Promise<Credential | undefined> {
    let row = await credentialRow(session, sourceId);
    if (!row) return undefined;
    let master = await this.#ring.find(row.masterKeyId);
    if (!master) {
      // A rotation may have finished between the two reads.
      row = await credentialRow(session, sourceId);
      master = row && (await this.#ring.find(row.masterKeyId));
    }
    if (!row) return undefined;
    if (!master) {
      if (this.#ring.lost.includes(row.masterKeyId)) throw new CredentialLost();
      throw new Error(`a credential is wrapped by master key ${row.masterKeyId}, which is missing`);
    }
    return JSON.parse(unseal(row, contextOf(row.organizationId, sourceId), master));
  }
}

async function credentialRow(session: TenantSession | TenantStore, sourceId: string) {
  const statement: Statement<CredentialRow> = {
    name: 'find-credential',
    text: `select organization_id as "organizationId", master_key_id as "masterKeyId", wrapped_key as "wrappedKey",
        ciphertext from source_credentials where source_id = $1`,
    values: [sourceId],
  };
  const rows = 'queryOnce' in session ? await session.queryOnce(statement) : await session.query(statement);
  return rows[0];
}

/** Associated data of both ciphertexts, so that neither opens for another organization or source. */
export function contextOf(organizationId: string, sourceId: string): string {
  return `parapet credential|${organizationId}|${sourceId}`;
}
