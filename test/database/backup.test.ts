import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { extract, pack } from 'tar-stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { ArchiveEntries } from '../../src/backup/archive-entries.ts';
import { tablesToBackUp } from '../../src/backup/contents.ts';
import { decrypted, encrypted } from '../../src/backup/encryption.ts';
import { Restore, type RestoredBackup } from '../../src/backup/restore-backup.ts';
import { writeBackup } from '../../src/backup/write-backup.ts';
import type { ConnectionSettings } from '../../src/database/connection.ts';
import { connectionFromUrl } from '../../src/database/connection-url.ts';
import { migrate } from '../../src/database/migrate.ts';
import { restoreInto } from '../../src/main/restore.ts';
import { givenKeyRing } from '../../src/resources/credentials/key-ring.ts';
import { parseMasterKey } from '../../src/resources/credentials/master-key.ts';
import { Storage } from '../../src/resources/storage.ts';
import { createSystem } from '../../src/resources/systems/systems.ts';
import { createFixture } from '../api/routes.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { eventRow, receivedEarlier, storeEvents } from '../support/events.ts';
import { findOutsidePostgres, startOutsidePostgres } from '../support/outside-postgres.ts';
import { addPerson } from '../support/people.ts';
import { asOwner, createDatabase, type TestDatabase } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';

const operator = { kind: 'operator', id: 'test' } as const;
const outside = await findOutsidePostgres();

let service: TestService;
let source: AuthorizedSource;
let scanId: string;
let folder: string;
let backup: Buffer;
beforeAll(async () => {
  service = await startService();
  await createFixture(service);
  source = await authorizedSource(service);
  const { organizationId, systemId, person } = source;
  await addPerson(service, organizationId, 'owner');
  await person.transaction(transaction =>
    createSystem(transaction, { name: 'Only here', environment: 'test', kind: 'api' }),
  );
  scanId = await queuedScan(source);
  // In two partitions, as if the first events were of another month.
  const events = Array.from({ length: 40 }, () => eventRow());
  await storeEvents(service.storage.events, { organizationId, systemId }, events);
  await receivedEarlier(service.database.connection, organizationId, 40);
  await storeEvents(service.storage.events, { organizationId, systemId }, [eventRow()]);
  folder = await mkdtemp(join(tmpdir(), 'backup-test-'));
  backup = await backUp(service.database.connection);
});
afterAll(async () => {
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase(inject('postgres'));
});
afterEach(() => database.drop());

async function backUp(connection: ConnectionSettings): Promise<Buffer> {
  const { stream, done } = writeBackup(connection);
  const path = join(folder, 'backup.tar');
  await pipeline(stream, createWriteStream(path));
  await done;
  return readFile(path);
}

async function restore(connection: ConnectionSettings, bytes: Buffer): Promise<RestoredBackup> {
  const restoring = new Restore(await ArchiveEntries.open(Readable.from([bytes])));
  await migrate(connection, { fill: restoring });
  return restoring.restored;
}

/** The storage of a node on a restored database. */
async function storageOn(connection: ConnectionSettings): Promise<Storage> {
  const { roles } = await migrate(connection);
  const keyRing = givenKeyRing(parseMasterKey(randomBytes(32).toString('base64')));
  return new Storage({ connection, roles, keyRing, works: false, onError: () => {} });
}

/** Rows of each table as text, in order. */
function contents(connection: ConnectionSettings): Promise<Record<string, string[]>> {
  return asOwner(connection, async client => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition and relpersistence = 'p' order by 1`,
    );
    const found: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows } = await client.query(
        `select t::text as row from ${pg.escapeIdentifier(name)} t order by 1`,
      );
      found[name] = rows.map(({ row }) => row);
    }
    return found;
  });
}

interface Change {
  readonly header?: (header: Description) => object;
  readonly manifest?: (manifest: Description) => object;
  /** Whether the part stays. */
  readonly keeps?: (name: string) => boolean;
  /** Further parts after the header. */
  readonly more?: readonly { readonly name: string; readonly content: Buffer }[];
}
// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Description = any;

/** The backup with a change, and the hashes that its parts have then. */
async function changed({ header, manifest, keeps = () => true, more = [] }: Change): Promise<Buffer> {
  const archive = pack();
  const packed = buffer(archive);
  const parts: object[] = [];
  const add = (name: string, content: Buffer) => {
    const sha256 = createHash('sha256').update(content).digest('hex');
    parts.push({ name, bytes: content.length, sha256 });
    archive.entry({ name }, content);
  };
  const unpacked = extract();
  Readable.from([backup]).pipe(unpacked as unknown as NodeJS.WritableStream);
  for await (const entry of unpacked) {
    const { name } = entry.header;
    const content = await buffer(entry as unknown as Readable);
    const json = (change: (description: Description) => object) =>
      Buffer.from(JSON.stringify(change(JSON.parse(content.toString()))));
    if (name === 'backup.json') {
      add(name, header ? json(header) : content);
      for (const part of more) add(part.name, part.content);
    } else if (name === 'manifest.json') {
      archive.entry(
        { name },
        json(was => {
          const now = { ...was, parts };
          return manifest?.(now) ?? now;
        }),
      );
    } else if (keeps(name)) add(name, content);
  }
  archive.finalize();
  return packed;
}

/** The backup, as if it had another table, without rows. */
const withTable = (table: { readonly name: string; readonly columns: readonly string[] }) =>
  changed({
    header: header => ({ ...header, tables: [...header.tables, table] }),
    manifest: manifest => ({ ...manifest, rows: { ...manifest.rows, [table.name]: 0 } }),
  });

/** The backup without a table, as if it had never been in it. */
const withoutTables = (isLeftOut: (name: string) => boolean) =>
  changed({
    header: header => ({
      ...header,
      // The names of parts have their places.
      tables: header.tables.filter(({ name }: { name: string }) => !isLeftOut(name)),
    }),
    keeps: name => !name.startsWith('tables/'),
    manifest: manifest => ({ ...manifest, rows: {}, audit_heads: [], sequences: [] }),
  });

const tablesIn = (connection: ConnectionSettings) =>
  asOwner(connection, async client => {
    const { rows } = await client.query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace`,
    );
    return rows.length;
  });

describe('a restored backup', () => {
  it('has every row, but no sign-ins, links or requests of the last minutes', async () => {
    const { rows } = await restore(database.connection, backup);
    const [was, is] = [await contents(service.database.connection), await contents(database.connection)];
    const emptied = Object.keys(was).filter(name => was[name]!.length > 0 && is[name]!.length === 0);
    expect(emptied).toEqual(['request_admissions', 'request_nonces', 'sessions']);
    const others = Object.keys(was).filter(name => !emptied.includes(name));
    // Each database has logins and releases of its own.
    const kept = others.filter(name => !['role_logins', 'releases', 'schema_migrations'].includes(name));
    for (const name of kept) expect(is[name], name).toEqual(was[name]);
    expect(rows).toBe(kept.reduce((sum, name) => sum + was[name]!.length, 0));
    expect(is.events!.length).toBeGreaterThan(40);
  });

  it('has all protections, and serves on', async () => {
    await restore(database.connection, backup);
    const settings = await Promise.all(
      [service.database.connection, database.connection].map(connection =>
        asOwner(connection, async client => {
          const { rows } = await client.query(
            `select relname, relrowsecurity, relforcerowsecurity,
              array(select tgname || tgenabled::text from pg_trigger where tgrelid = c.oid and not tgisinternal order by 1) as triggers,
              array(select polname::text from pg_policy where polrelid = c.oid order by 1) as policies
              from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
          );
          return rows;
        }),
      ),
    );
    expect(settings[1]).toEqual(settings[0]);
    const node = await storageOn(database.connection);
    const store = node.tenant(source.organizationId, operator);
    const more = { name: 'More', environment: 'test', kind: 'api' } as const;
    await store.transaction(transaction => createSystem(transaction, more));
    const { organizationId, systemId } = source;
    expect(await storeEvents(node.events, { organizationId, systemId }, [eventRow()])).toBe(1);
    expect(await node.system.brokenAuditChains()).toEqual([]);
    await node.close(0);
  });

  it('has the jobs of scans that had not ended', async () => {
    await restore(database.connection, backup);
    const jobs = await asOwner(database.connection, async client => {
      const { rows } = await client.query('select name, data, group_id from pgboss.job order by name, data');
      return rows;
    });
    const { organizationId, sourceId } = source;
    expect(jobs).toContainEqual({
      name: 'scan-inspect',
      data: { organizationId, scanId, sourceId },
      group_id: organizationId,
    });
    const sent = await asOwner(service.database.connection, async client => {
      const { rows } = await client.query('select name, data, group_id from pgboss.job order by name, data');
      return rows;
    });
    expect(jobs).toEqual(sent);
  });
});

it('is one moment of a database in use, with an owner who is not a superuser', async () => {
  const owner = { user: `${database.connection.database}_owner`, password: 'a password' };
  const asPlainOwner = { ...database.connection, ...owner };
  await asOwner(database.connection, client =>
    client.query(`create role ${owner.user} login createrole password 'a password';
      alter database ${database.connection.database} owner to ${owner.user}`),
  );
  await restore(asPlainOwner, backup);
  const node = await storageOn(asPlainOwner);
  let isWriting = true;
  const store = node.tenant(source.organizationId, operator);
  const write = async () => {
    for (let count = 0; isWriting; count++) {
      const system = { name: `S${count}`, environment: 'test', kind: 'api' } as const;
      await store.transaction(transaction => createSystem(transaction, system));
    }
  };
  const writing = write();
  const taken = await backUp(asPlainOwner);
  isWriting = false;
  await writing;
  await node.close(0);
  const other = await createDatabase(inject('postgres'));
  await expect(restore(other.connection, taken)).resolves.toMatchObject({ rows: expect.any(Number) });
  await other.drop();
  // Nothing of the owner's is left when the database goes.
  await database.drop();
  await asOwner(inject('postgres'), client => client.query(`drop role ${owner.user}`));
  database = await createDatabase(inject('postgres'));
});

it.runIf(outside)('is restored into another release of PostgreSQL', async () => {
  const server = await startOutsidePostgres(outside!);
  const connection = connectionFromUrl(server.url);
  const { rows } = await restore(connection, backup);
  expect(rows).toBeGreaterThan(40);
  const taken = await backUp(connection);
  await server.close();
  await expect(restore(database.connection, taken)).resolves.toMatchObject({ rows });
});

it('has dates that can be restored, whatever the defaults of a database behind a pooler', async () => {
  const { connection } = service.database;
  const name = pg.escapeIdentifier(connection.database!);
  const alter = (change: string) =>
    asOwner(connection, client => client.query(`alter database ${name} ${change}`));
  await alter("set datestyle = 'SQL, DMY'");
  try {
    await restore(database.connection, await backUp({ ...connection, isPooled: true }));
  } finally {
    await alter('reset datestyle');
  }
  const [was, is] = [await contents(connection), await contents(database.connection)];
  for (const table of ['events', 'systems', 'audit_entries']) expect(is[table], table).toEqual(was[table]);
});

it('does not let functions that run as the owner read for others', async () => {
  const owner = { user: `${database.connection.database}_owner`, password: 'a password' };
  const asPlainOwner = { ...database.connection, ...owner };
  await asOwner(database.connection, client =>
    client.query(`create role ${owner.user} login createrole password 'a password';
      alter database ${database.connection.database} owner to ${owner.user}`),
  );
  await restore(asPlainOwner, backup);
  const { roles } = await migrate(asPlainOwner);
  const counted = (connection: ConnectionSettings) =>
    asOwner(connection, async client => (await client.query('select counted() as systems')).rows[0].systems);
  await asOwner(asPlainOwner, client =>
    client.query(
      `create function counted() returns int language sql security definer as 'select count(*)::int from systems';
        grant execute on function counted to ${roles.app.user}`,
    ),
  );
  expect(await counted(asPlainOwner)).toBeGreaterThan(0);
  expect(await counted({ ...database.connection, ...roles.app })).toBe(0);
  await database.drop();
  await asOwner(inject('postgres'), client => client.query(`drop role ${owner.user}`));
  database = await createDatabase(inject('postgres'));
});

describe('a restore', () => {
  it('refuses a database that has an installation', async () => {
    await migrate(database.connection);
    await expect(restore(database.connection, backup)).rejects.toThrow(/^There is an installation already/);
  });

  it.each([
    ['the first byte', () => 0],
    ['the rows of a table', () => backup.indexOf('tables/000-organizations') + 512 + 30],
    ['the manifest', () => backup.lastIndexOf('"sha256"') + 14],
  ])('refuses a backup with a change in %s, and leaves nothing', async (_what, at) => {
    const damaged = Buffer.from(backup);
    damaged[at()]! ^= 1;
    await expect(restore(database.connection, damaged)).rejects.toMatchObject({ name: 'StorageError' });
    expect(await tablesIn(database.connection)).toBe(0);
  });

  it.each([0.2, 0.5, 0.9, 0.97, 0.98, 0.99, 0.999])(
    'refuses a backup that ends after %f of it, and leaves nothing',
    async share => {
      const cut = backup.subarray(0, Math.floor(backup.length * share));
      await expect(restore(database.connection, cut)).rejects.toMatchObject({ name: 'StorageError' });
      expect(await tablesIn(database.connection)).toBe(0);
    },
  );

  it('takes tables that this release would leave out, as one before may have had them', async () => {
    const tables = await asOwner(service.database.connection, owner => tablesToBackUp(owner, true));
    const { columns } = tables.find(({ name }) => name === 'sessions')!;
    const { header } = await restore(database.connection, await withTable({ name: 'sessions', columns }));
    expect(header.tables.at(-1)?.name).toBe('sessions');
  });

  it.each([
    ['of this database alone', { name: 'role_logins', columns: ['role', 'password'] }],
    ['without some of its columns', { name: 'sessions', columns: ['id'] }],
  ])('refuses a table %s', async (_what, table) => {
    await expect(restore(database.connection, await withTable(table))).rejects.toThrow(/its tables/);
    expect(await tablesIn(database.connection)).toBe(0);
  });

  it.each([
    ['every table', () => true],
    ['the audit log', (name: string) => name === 'audit_entries'],
    ['organizations', (name: string) => name === 'organizations'],
    ['evidence', (name: string) => name === 'evidence_pieces'],
  ])('refuses a backup without %s', async (_what, isLeftOut) => {
    await expect(restore(database.connection, await withoutTables(isLeftOut))).rejects.toThrow(/its tables/);
  });

  it('refuses a backup that has a table twice', async () => {
    const twice = await changed({
      header: header => ({ ...header, tables: [...header.tables, header.tables[0]] }),
    });
    await expect(restore(database.connection, twice)).rejects.toThrow(/its tables/);
  });

  it.each([
    ['has another name', [{ name: 'files/other', content: Buffer.from('x') }]],
    ['is long', [{ name: 'files/master.key', content: Buffer.alloc(2_000, 'x') }]],
    ['is there twice', [1, 2].map(() => ({ name: 'files/master.key', content: Buffer.from('x') }))],
    [
      'has a long name',
      [{ name: `tables/000-organizations.copy.gz.${'x'.repeat(200)}`, content: gzipSync('') }],
    ],
  ])('refuses a file that %s', async (_what, more) => {
    await expect(restore(database.connection, await changed({ more }))).rejects.toThrow(
      /^This is not a backup of Parapet, or it is damaged \((files|tables|manifest)/,
    );
  });

  it('refuses a master key that is none, before anything is restored', async () => {
    const more = [{ name: 'files/master.key', content: Buffer.from('not a key') }];
    const file = join(folder, 'key.tar');
    await writeFile(file, await changed({ more }));
    const { connection } = database;
    const direct = { connection, direct: connection, close: async () => {} };
    await expect(restoreInto(direct, file, {})).rejects.toThrow(
      'master.key in the backup must be 32 bytes in base64 (the backup is damaged)',
    );
    expect(await tablesIn(connection)).toBe(0);
  });

  it.each<[string, Change]>([
    ['tables: [null]', { header: header => ({ ...header, tables: [null] }) }],
    [
      'a column of a table that is null',
      { header: header => ({ ...header, tables: [{ name: 'x', columns: [null] }] }) },
    ],
    [
      'a partition of an unknown retention',
      { header: header => ({ ...header, partitions: [{ retention: 91, day: '20261118' }] }) },
    ],
    ['a release of several lines', { header: header => ({ ...header, release: '0.2.0\nmore' }) }],
    ['partitions: [null]', { header: header => ({ ...header, partitions: [null] }) }],
    ['migration: null', { header: header => ({ ...header, migration: null }) }],
    ['a header that is a list', { header: () => [] }],
    ['rows: null', { manifest: manifest => ({ ...manifest, rows: null }) }],
    ['sequences: [null]', { manifest: manifest => ({ ...manifest, sequences: [null] }) }],
    ['audit_heads: [null]', { manifest: manifest => ({ ...manifest, audit_heads: [null] }) }],
    [
      'parts: [null]',
      { manifest: ({ parts, ...manifest }) => ({ ...manifest, parts: [null, ...parts.slice(1)] }) },
    ],
    [
      'more partitions than an installation has',
      {
        header: header => ({
          ...header,
          partitions: Array.from({ length: 501 }, () => ({ retention: 7, day: '20261118' })),
        }),
      },
    ],
  ])('refuses %s as no backup', async (_what, change) => {
    await expect(restore(database.connection, await changed(change))).rejects.toThrow(
      /^(This is not a backup of Parapet, or it is damaged|The backup has the form)/,
    );
    expect(await tablesIn(database.connection)).toBe(0);
  });

  it('refuses a row without an end', async () => {
    const endless = gzipSync(Buffer.alloc(80 * 1024 * 1024, 'x'));
    const bytes = await changed({
      more: [{ name: 'tables/000-organizations.copy.gz.00000', content: endless }],
    });
    await expect(restore(database.connection, bytes)).rejects.toThrow(/damaged \(organizations\)$/);
  });

  it('refuses something else', async () => {
    await expect(restore(database.connection, Buffer.from('no archive'))).rejects.toThrow(/not a backup/);
    await expect(restore(database.connection, Buffer.alloc(0))).rejects.toThrow(/not a backup/);
  });
});

describe('encryption', () => {
  const plain = () => Readable.from([backup]);

  it('hides all content, and needs the passphrase', async () => {
    const sealed = await buffer(await encrypted(plain(), { passphrase: 'a long passphrase' }));
    expect(sealed.includes('backup.json')).toBe(false);
    const open = async (passphrase?: string) =>
      buffer(await decrypted(Readable.from([sealed]), { passphrase }));
    expect((await open('a long passphrase')).equals(backup)).toBe(true);
    await expect(open('another passphrase')).rejects.toThrow(/cannot be decrypted/);
    await expect(open()).rejects.toThrow(/is encrypted: give its passphrase/);
    sealed[sealed.length - 20]! ^= 1;
    await expect(open('a long passphrase')).rejects.toThrow();
  });

  it('refuses a header without an end, without reading on', async () => {
    let read = 0;
    async function* endless() {
      yield Buffer.from('age-encryption.org/v1\n-> X25519 ');
      for (; read < 100; read++) yield Buffer.alloc(65_536, 'A');
    }
    await expect(decrypted(endless(), { passphrase: 'a long passphrase' })).rejects.toThrow(
      /not a backup of Parapet, or it is damaged \(encryption header\)/,
    );
    expect(read).toBeLessThan(10);
  });

  it('opens with an identity of one of its recipients', async () => {
    const [mine, other] = [await generateX25519Identity(), await generateX25519Identity()];
    const recipients = [await identityToRecipient(mine)];
    const sealed = await buffer(await encrypted(plain(), { recipients }));
    const open = async (identity: string) =>
      buffer(await decrypted(Readable.from([sealed]), { identities: [identity] }));
    expect((await open(mine)).equals(backup)).toBe(true);
    await expect(open(other)).rejects.toThrow(/cannot be decrypted/);
    await expect(encrypted(plain(), { recipients: ['age1x'] })).rejects.toThrow(/not a recipient of age/);
  });
});
