import { randomBytes } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { givenKeyRing } from '../../src/resources/credentials/key-ring.ts';
import { parseMasterKey } from '../../src/resources/credentials/master-key.ts';
import { CredentialVault } from '../../src/resources/credentials/vault.ts';
import { type AuthorizedSource, authorizedSource } from '../support/authorized-source.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const vault = new CredentialVault(givenKeyRing(parseMasterKey(randomBytes(32).toString('base64'))));
const credential = { type: 'basic', username: 'u', password: 'correct horse' } as const;
const sql = (text: string, values: unknown[]) =>
  asOwner(service.database.connection, client => client.query(text, values));

async function sourceWithCredential(): Promise<AuthorizedSource> {
  const source = await authorizedSource(service);
  await source.store.transaction(transaction => vault.store(transaction, source.sourceId, credential));
  expect(await vault.open(source.store, source.sourceId)).toEqual(credential);
  return source;
}

it('opens no credential that was moved to another source of the organization', async () => {
  const { store, systemId, sourceId } = await sourceWithCredential();
  const [other] = await store.transaction(transaction =>
    transaction.query<{ id: string }>({
      text: `insert into sources (system_id, name, kind, host, connection_mode, status)
        values ($1, 'S', 'website', 'attacker.example', 'direct', 'pending') returning id`,
      values: [systemId],
    }),
  );
  await sql('update source_credentials set source_id = $2 where source_id = $1', [sourceId, other!.id]);
  await expect(vault.open(store, other!.id)).rejects.toThrow();
});

it('opens no credential that was moved to another organization, although its source has the same id', async () => {
  const { organizationId, sourceId } = await sourceWithCredential();
  const other = await authorizedSource(service);
  await sql(
    `insert into sources (organization_id, id, system_id, name, kind, host, connection_mode, status)
      values ($1, $2, $3, 'S', 'website', 'attacker.example', 'direct', 'pending')`,
    [other.organizationId, sourceId, other.systemId],
  );
  await sql('update source_credentials set organization_id = $2 where organization_id = $1', [
    organizationId,
    other.organizationId,
  ]);
  await expect(vault.open(other.store, sourceId)).rejects.toThrow();
});
