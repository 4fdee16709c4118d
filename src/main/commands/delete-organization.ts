import { stat } from 'node:fs/promises';
import type pg from 'pg';
import { deleteOrganization } from '../../backup/delete-organization.ts';
import {
  assertEvidenceReadable,
  type ExportManifest,
  exportOrganization,
} from '../../backup/export-organization.ts';
import { StorageError } from '../../database/storage-error.ts';
import { withOwner } from '../../database/with-owner.ts';
import type { KeyRing } from '../../resources/credentials/key-ring.ts';
import { evidenceReader } from '../../resources/evidence/content.ts';
import { closeOrganization, stopScans } from '../../resources/organizations/close-organization.ts';
import {
  findOrganization,
  peopleWithoutOrganization,
} from '../../resources/organizations/find-organization.ts';
import { type KeptRecords, keptRecords } from '../../resources/organizations/kept-records.ts';
import { writeWhole } from '../backup-file.ts';
import { ConfigurationError } from '../configuration.ts';
import { confirm, type ExportOptions, givenExport } from '../confirm.ts';
import { operator } from '../operator.ts';
import { givenId } from '../organization-id.ts';
import { type DataOption, print, withStorage } from './operator.ts';

type Options = DataOption & { readonly json?: boolean };

/** `parapet organizations export`. */
export async function exportOf(given: string, file: string, options: Options): Promise<void> {
  const id = givenId('the organization', given);
  const manifest = await withStorage(options, ({ keyRing }, connection) =>
    withOwner(connection, 'parapet-export', async owner => {
      const { name } = await found(owner, id);
      await assertEvidenceReadable(owner, evidenceReader(keyRing), id);
      return { name, ...(await writeExport(owner, keyRing, id, file)) };
    }),
  );
  print(options.json, { file, ...summary(manifest) }, () => exported(file, manifest));
}

/** `parapet organizations delete`: closes the organization, exports it, and deletes its rows. Continues one that was interrupted. */
export async function deleteOf(given: string, options: Options & ExportOptions): Promise<void> {
  const id = givenId('the organization', given);
  const file = givenExport(options);
  const done = await withStorage(options, (storage, connection) =>
    withOwner(connection, 'parapet-delete', async owner => {
      const { name, erasing_since } = await found(owner, id);
      const kept = await keptRecords(owner, id);
      // What is left of an interrupted deletion is not worth an export: that was complete before.
      const target = erasing_since === null ? file : undefined;
      if (erasing_since === null) {
        if (file === undefined) assertNothingKept(name, kept);
        else await assertWritable(owner, storage.keyRing, id, file);
      }
      await confirm(name, options.yes);
      const closed = await closeOrganization(owner, id, operator);
      await stopScans(storage.tenant(id, operator));
      // Nothing is added any longer: what was added since the question counts as well.
      if (erasing_since === null && file === undefined) assertNothingKept(name, await keptRecords(owner, id));
      const manifest =
        target === undefined ? undefined : await writeExport(owner, storage.keyRing, id, target);
      if (manifest) process.stderr.write(`${exported(file!, manifest)}\n`);
      const people = await peopleWithoutOrganization(owner);
      const rows = await deleteOrganization(owner, id, progress());
      return { name, kept, closed, manifest, rows, people };
    }),
  );
  const { name, kept, closed, manifest, rows, people } = done;
  const count = Object.values(rows).reduce((sum, number) => sum + number, 0);
  const document = {
    id,
    name,
    ...(closed ? { ended: closed } : {}),
    export: manifest ? { file, ...summary(manifest) } : null,
    keep_export_until: manifest ? kept.until : null,
    rows,
    people_without_organization: people,
  };
  print(options.json, document, () =>
    [
      ...Object.entries(rows).map(([table, number]) => `${table}  ${number}`),
      `Deleted ${name}: ${count} rows.`,
      ...(manifest && kept.until !== null
        ? [`Keep ${file} until ${kept.until.slice(0, 10)}: ${law(kept)}.`]
        : []),
      'Backups from before still contain the organization, and a restore brings it back.',
      ...(people.length > 0
        ? [
            `Accounts that belong to no organization now: ${people.join(', ')}. parapet people delete EMAIL deletes one.`,
          ]
        : []),
    ].join('\n'),
  );
}

async function found(owner: pg.ClientBase, id: string) {
  const organization = await findOrganization(owner, id);
  if (!organization) throw new ConfigurationError(`organization ${id} not found`);
  return organization;
}

const law = ({ evidence, attestations, notes }: KeptRecords) =>
  `${evidence} files of evidence, ${attestations} attestations and ${notes} notes of controls must be kept for six years (45 CFR 164.316(b)(2)(i))`;

function assertNothingKept(name: string, kept: KeptRecords): void {
  if (kept.until === null) return;
  throw new ConfigurationError(
    `${name} cannot be deleted without an export: ${law(kept)}, here until ${kept.until.slice(0, 10)}. Give --export FILE, and keep the file`,
  );
}

/** Before anything has ended: the export follows. */
async function assertWritable(owner: pg.ClientBase, ring: KeyRing, id: string, file: string): Promise<void> {
  if (await stat(file).catch(() => null)) throw new StorageError(`${file} exists already`);
  await assertEvidenceReadable(owner, evidenceReader(ring), id);
}

/** The file is whole and on disk when this ends. */
async function writeExport(
  owner: pg.ClientBase,
  ring: KeyRing,
  id: string,
  file: string,
): Promise<ExportManifest> {
  const { stream, done } = exportOrganization(owner, evidenceReader(ring), id);
  await writeWhole(file, stream);
  return done;
}

const rowsOf = ({ tables }: ExportManifest) => tables.reduce((sum, { rows }) => sum + rows, 0);

const summary = (manifest: ExportManifest) => ({
  exported_at: manifest.exported_at,
  rows: rowsOf(manifest),
  evidence: manifest.evidence.length,
  unreadable_evidence: manifest.unreadable_evidence,
});

function exported(file: string, manifest: ExportManifest): string {
  const { evidence, unreadable_evidence: lost, organization } = manifest;
  const without = lost.length > 0 ? `, without ${lost.length} files whose master key is lost` : '';
  return `Exported ${organization.name} to ${file}: ${rowsOf(manifest)} rows, ${evidence.length} files of evidence${without}. It is not encrypted.`;
}

/** Rows of a table between two lines. */
const often = 20_000;

function progress(): (table: string, rows: number) => void {
  let written = { table: '', rows: 0 };
  return (table, rows) => {
    if (table === written.table && rows - written.rows < often) return;
    written = { table, rows };
    process.stderr.write(`deleting ${table}: ${rows} rows\n`);
  };
}
