import { createReadStream } from 'node:fs';
import type pg from 'pg';
import { deleteOrganization, type OnProgress } from '../backup/delete-organization.ts';
import {
  assertEvidenceReadable,
  type ExportManifest,
  exportOrganization,
} from '../backup/export-organization.ts';
import { readExport } from '../backup/read-export.ts';
import { StorageError } from '../database/storage-error.ts';
import type { KeyRing } from '../resources/credentials/key-ring.ts';
import { evidenceReader } from '../resources/evidence/content.ts';
import {
  type ClosedOrganization,
  closeOrganization,
  stopScans,
} from '../resources/organizations/close-organization.ts';
import {
  type FoundOrganization,
  findOrganization,
  peopleWithoutOrganization,
} from '../resources/organizations/find-organization.ts';
import { type KeptRecords, keptRecords } from '../resources/organizations/kept-records.ts';
import type { Storage } from '../resources/storage.ts';
import { finishGiving, NewFile } from './backup-file.ts';
import { ConfigurationError } from './configuration-error.ts';
import { operator } from './operator.ts';

interface Deletion {
  readonly id: string;
  /** Path of the export; undefined for none. */
  readonly file: string | undefined;
  /** Whether evidence is deleted that is damaged, and therefore not in the export. */
  readonly withoutDamaged: boolean;
  /** Rejects unless the operator confirms. */
  confirm(name: string): Promise<void>;
  /** Called when the export is whole and on disk. */
  onExported(manifest: ExportManifest): void;
  readonly onProgress: OnProgress;
}

interface Deleted {
  readonly name: string;
  /** What was closed now; undefined if it was before. */
  readonly closed: ClosedOrganization | undefined;
  readonly kept: KeptRecords;
  /** Undefined without an export, and if the deletion of rows is continued. */
  readonly manifest: ExportManifest | undefined;
  /** By table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Addresses of accounts that belong to no organization now. */
  readonly people: readonly string[];
}

/**
 * Closes an organization, exports it, and deletes its rows, or continues where a deletion was interrupted. Before it is closed, everything
 * is checked that can be: that records which must be kept are exported, that the file can be written, and that the master keys are there.
 *
 * @param owner of the database
 */
export async function deleteCompletely(
  { storage, owner }: { readonly storage: Storage; readonly owner: pg.ClientBase },
  { id, file: path, withoutDamaged, confirm, onExported, onProgress }: Deletion,
): Promise<Deleted> {
  const organization = await foundOrganization(owner, id);
  const { name } = organization;
  const isErasing = organization.erasing_since !== null;
  // What is left of an interrupted deletion is not worth an export: that was complete before.
  const wanted = isErasing ? undefined : path;
  const earlier = wanted === undefined ? undefined : await earlierExport(organization, wanted);
  const file = wanted === undefined || earlier ? undefined : await NewFile.create(wanted);
  const isExported = isErasing || wanted !== undefined;
  try {
    if (file) await assertEvidenceReadable(owner, evidenceReader(storage.keyRing), id);
    if (!isExported) assertNothingKept(name, await keptRecords(owner, id));
    await confirm(name);
    const closed = await closeOrganization(owner, id, operator);
    await stopScans(storage.tenant(id, operator));
    // Nothing is added any longer: what was added since the question counts as well.
    const kept = await keptRecords(owner, id);
    if (!isExported) assertNothingKept(name, kept);
    const manifest = file ? await writeExport(owner, storage.keyRing, id, file) : earlier;
    if (manifest) onExported(manifest);
    if (manifest && !withoutDamaged) assertIntact(manifest);
    const people = await peopleWithoutOrganization(owner);
    const rows = await deleteOrganization(owner, id, onProgress);
    return { name, closed, kept, manifest, rows, people };
  } finally {
    await file?.discard();
  }
}

/** The export of a deletion that was interrupted after it: one of the organization since it was closed, and complete. */
async function earlierExport(
  { id, deleted_at }: FoundOrganization,
  path: string,
): Promise<ExportManifest | undefined> {
  if (deleted_at === null) return undefined;
  const manifest = await readExport(createReadStream(path));
  if (manifest?.organization.id !== id || manifest.organization.deleted_at !== deleted_at) return undefined;
  await finishGiving(path);
  return manifest;
}

/** Throws `ConfigurationError` if there is none with this id. */
export async function foundOrganization(owner: pg.ClientBase, id: string) {
  const organization = await findOrganization(owner, id);
  if (!organization) throw new ConfigurationError(`organization ${id} not found`);
  return organization;
}

/** The file is whole and on disk when this ends. */
export async function writeExport(
  owner: pg.ClientBase,
  ring: KeyRing,
  id: string,
  file: NewFile,
): Promise<ExportManifest> {
  const { stream, done } = exportOrganization(owner, evidenceReader(ring), id);
  await file.write(stream);
  return done;
}

/** Why the records must be kept. */
export const law = ({ evidence, attestations, notes }: KeptRecords) =>
  `${evidence} files of evidence, ${attestations} attestations and ${notes} notes of controls must be kept for six years (45 CFR 164.316(b)(2)(i))`;

function assertNothingKept(name: string, kept: KeptRecords): void {
  if (kept.until === null) return;
  throw new ConfigurationError(
    `${name} cannot be deleted without an export: ${law(kept)}, here until ${kept.until.slice(0, 10)}. Give --export FILE, and keep the file`,
  );
}

function assertIntact({ damaged_evidence: damaged }: ExportManifest): void {
  if (damaged.length === 0) return;
  throw new StorageError(
    `Nothing was deleted yet: the export lacks evidence that is damaged in the database (${damaged.join(', ')}). An earlier backup may have it whole: restore that in another place, and export the organization there. Then repeat the command with another file and --without-damaged`,
  );
}
