import { assertEvidenceReadable, type ExportManifest } from '../../backup/export-organization.ts';
import { withOwner } from '../../database/with-owner.ts';
import { evidenceReader } from '../../resources/evidence/content.ts';
import { NewFile } from '../backup-file.ts';
import { confirm, type ExportOptions, givenExport } from '../confirm.ts';
import { deleteCompletely, foundOrganization, law, writeExport } from '../delete-organization.ts';
import { givenId } from '../organization-id.ts';
import { type DataOption, print, withStorage } from './operator.ts';

type Options = DataOption & { readonly json?: boolean };

/** `parapet organizations export`. */
export async function exportOf(given: string, path: string, options: Options): Promise<void> {
  const id = givenId('the organization', given);
  const manifest = await withStorage(options, ({ keyRing }, connection) =>
    withOwner(connection, 'parapet-export', async owner => {
      await foundOrganization(owner, id);
      await assertEvidenceReadable(owner, evidenceReader(keyRing), id);
      return writeExport(owner, keyRing, id, await NewFile.create(path));
    }),
  );
  print(options.json, { file: path, ...summary(manifest) }, () => exported(path, manifest));
}

type DeleteOptions = Options & ExportOptions & { readonly withoutDamaged?: boolean };

/** `parapet organizations delete`: closes the organization, exports it, and deletes its rows. Continues one that was interrupted. */
export async function deleteOf(given: string, options: DeleteOptions): Promise<void> {
  const id = givenId('the organization', given);
  const file = givenExport(options);
  const done = await withStorage(options, (storage, connection) =>
    withOwner(connection, 'parapet-delete', owner =>
      deleteCompletely(
        { storage, owner },
        {
          id,
          file,
          withoutDamaged: options.withoutDamaged ?? false,
          confirm: name => confirm(name, options.yes),
          onExported: manifest => process.stderr.write(`${exported(file!, manifest)}\n`),
          onProgress: progress(),
        },
      ),
    ),
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

const rowsOf = ({ tables }: ExportManifest) => tables.reduce((sum, { rows }) => sum + rows, 0);

const summary = (manifest: ExportManifest) => ({
  exported_at: manifest.exported_at,
  rows: rowsOf(manifest),
  evidence: manifest.evidence.length,
  unreadable_evidence: manifest.unreadable_evidence,
  damaged_evidence: manifest.damaged_evidence,
});

function exported(file: string, manifest: ExportManifest): string {
  const { evidence, unreadable_evidence: lost, damaged_evidence: damaged, organization } = manifest;
  const without = [
    lost.length > 0 ? `, without ${lost.length} files whose master key is lost` : '',
    damaged.length > 0 ? `, without ${damaged.length} files that are damaged in the database` : '',
  ].join('');
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
