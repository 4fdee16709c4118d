import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { link, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withOwner } from '../../src/database/with-owner.ts';
import { deleteCompletely } from '../../src/main/delete-organization.ts';
import { storeEvidence } from '../../src/resources/evidence/evidence.ts';
import { createFixture, type Fixture } from '../api/routes.ts';
import { addPerson } from '../support/people.ts';
import { asOwner, pastTriggers } from '../support/postgres.ts';
import { startService, type TestService } from '../support/service.ts';
import { call } from '../support/signing-client.ts';

let service: TestService;
let fixture: Fixture;
let person: string;
let folder: string;
beforeAll(async () => {
  service = await startService();
  return () => service.close();
});
beforeEach(async () => {
  fixture = await createFixture(service);
  ({ id: person } = await addPerson(service, fixture.organizationId, 'owner'));
  folder = await mkdtemp(join(tmpdir(), 'parapet-deletion-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function deleteIt(
  file: string | undefined,
  { withoutDamaged = false, killedAfterExport = false, confirm = async () => {} } = {},
) {
  return withOwner(service.database.connection, 'test', owner =>
    deleteCompletely(
      { storage: service.storage, owner },
      {
        id: fixture.organizationId,
        file,
        withoutDamaged,
        confirm,
        onExported() {
          if (killedAfterExport) throw new Error('killed');
        },
        onProgress() {},
      },
    ),
  );
}

/** Packs the export again, with one file changed, or without it. */
async function repacked(
  file: string,
  { name, change }: { readonly name: string; readonly change?: (text: string) => string },
): Promise<void> {
  const archive = pack();
  const written = buffer(archive.pipe(createGzip()));
  const unpacked = extract();
  createReadStream(file)
    .pipe(createGunzip())
    .pipe(unpacked as unknown as NodeJS.WritableStream);
  for await (const entry of unpacked) {
    const content = await buffer(entry as unknown as NodeJS.ReadableStream);
    if (entry.header.name !== name) archive.entry({ name: entry.header.name }, content);
    else if (change) archive.entry({ name }, change(String(content)));
  }
  archive.finalize();
  await writeFile(file, await written);
}

/** Stores a file of evidence in the organization. Returns its id. */
async function addEvidence(text: string): Promise<string> {
  const { keyRing } = service.storage;
  const file = {
    kind: 'file',
    name: 'policy.txt',
    mediaType: 'text/plain',
    content: Buffer.from(text),
  } as const;
  return service.storage
    .tenant(fixture.organizationId, { kind: 'person', id: person })
    .transaction(async transaction => (await storeEvidence(transaction, keyRing, file)).id);
}

const isOpen = async () => (await call(service.url, fixture.key, 'GET', '/api/v1/systems')).status === 200;

it('closes nothing if the export cannot be written', async () => {
  await expect(deleteIt(join(folder, 'missing', 'export.tar.gz'))).rejects.toThrow(
    `${join(folder, 'missing', 'export.tar.gz')} cannot be written: ENOENT`,
  );
  expect(await isOpen()).toBe(true);
});

it('leaves no file if it is not confirmed', async () => {
  const confirm = async () => {
    throw new Error('another name');
  };
  await expect(deleteIt(join(folder, 'export.tar.gz'), { confirm })).rejects.toThrow('another name');
  expect(await readdir(folder)).toEqual([]);
  expect(await isOpen()).toBe(true);
});

it('says until when an export must be kept, with what was added during the question', async () => {
  const confirm = async () => void (await addEvidence('added during the question'));
  const { kept, manifest } = await deleteIt(join(folder, 'export.tar.gz'), { confirm });
  expect(kept).toMatchObject({ evidence: 1, until: expect.any(String) });
  expect(manifest).toMatchObject({
    evidence: [{ bytes: 25 }],
    organization: { name: 'Test', deleted_at: expect.any(String), event_retention_days: 90 },
  });
});

it.each([
  ['changed', 'update evidence_pieces set ciphertext = reverse(ciphertext) where evidence_id = $1'],
  ['missing', 'delete from evidence_pieces where evidence_id = $1'],
  ['under another key', `update evidence set wrapped_key = reverse(wrapped_key) where id = $1`],
])('exports the rest if a file of evidence is %s, and deletes it only on demand', async (_how, damage) => {
  const [intact, damaged] = [await addEvidence('intact'), await addEvidence('damaged')];
  await pastTriggers(service.database.connection, client => client.query(damage, [damaged]));
  const file = join(folder, 'export.tar.gz');
  await expect(deleteIt(file)).rejects.toThrow(`evidence that is damaged in the database (${damaged})`);
  const { stdout } = await promisify(execFile)('tar', ['tzf', file]);
  expect(stdout.split('\n').filter(name => name.startsWith('evidence/'))).toEqual([`evidence/${intact}`]);
  const { rows } = await asOwner(service.database.connection, client =>
    client.query('select id from evidence where organization_id = $1', [fixture.organizationId]),
  );
  expect(rows).toHaveLength(2);

  const done = await deleteIt(join(folder, 'again.tar.gz'), { withoutDamaged: true });
  expect(done).toMatchObject({ manifest: { damaged_evidence: [damaged] }, rows: { evidence: 2 } });
});

describe('after a deletion that was killed when its export was complete', () => {
  let file: string;
  const evidenceLeft = async () => {
    const { rows } = await asOwner(service.database.connection, client =>
      client.query('select id from evidence where organization_id = $1', [fixture.organizationId]),
    );
    return rows.length;
  };
  beforeEach(async () => {
    await addEvidence('kept');
    file = join(folder, 'export.tar.gz');
    await expect(deleteIt(file, { killedAfterExport: true })).rejects.toThrow('killed');
    expect(await evidenceLeft()).toBe(1);
  });

  it('continues with it, and leaves the file under one name', async () => {
    await link(file, `${file}.0123456789ab.unfinished`);
    const bytes = await readFile(file);
    const { manifest, rows } = await deleteIt(file);
    expect(manifest).toMatchObject({
      organization: { id: fixture.organizationId },
      evidence: [{ bytes: 4 }],
    });
    expect(rows.evidence).toBe(1);
    expect((await readFile(file)).equals(bytes)).toBe(true);
    expect(await readdir(folder)).toEqual(['export.tar.gz']);
  });

  it.each([
    ['is cut', async () => truncate(file, (await stat(file)).size - 9)],
    [
      'is changed',
      () => repacked(file, { name: 'tables/systems.jsonl', change: text => text.replace('{', '[') }),
    ],
    ['lacks a file', () => repacked(file, { name: 'tables/systems.jsonl' })],
    [
      'is of another organization',
      () =>
        repacked(file, {
          name: 'manifest.json',
          change: text => text.replace(fixture.organizationId, crypto.randomUUID()),
        }),
    ],
    [
      'is of before it was closed',
      () =>
        repacked(file, {
          name: 'manifest.json',
          change: text => text.replace(/"deleted_at": "[^"]+"/, '"deleted_at": null'),
        }),
    ],
  ])('deletes nothing if the file %s', async (_what, spoil) => {
    await spoil();
    await expect(deleteIt(file)).rejects.toThrow(`${file} exists already`);
    expect(await evidenceLeft()).toBe(1);
  });
});

it('leaves a note from which workers log the deletion', async () => {
  const { system } = service.storage;
  await deleteIt(join(folder, 'export.tar.gz'));
  const ids = async () => (await system.unloggedDeletions(100)).map(({ id }) => id);
  expect(await ids()).toContain(fixture.organizationId);
  await system.markDeletionsLogged([fixture.organizationId]);
  expect(await ids()).not.toContain(fixture.organizationId);
});
