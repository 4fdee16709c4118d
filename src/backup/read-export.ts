import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import { ArchiveEntries } from './archive-entries.ts';
import { type ExportManifest, exportFormat } from './export-organization.ts';
import { longestManifest } from './manifest.ts';

/** The manifest of an organization's export if that is complete: each file as it says, and no other. Undefined for something else. */
export async function readExport(file: Readable): Promise<ExportManifest | undefined> {
  const gunzip = createGunzip();
  file.once('error', error => gunzip.destroy(error));
  try {
    const entries = await ArchiveEntries.open(file.pipe(gunzip));
    await entries.skipTo('manifest.json');
    const parts = entries.parts.slice();
    const manifest: ExportManifest = JSON.parse(await entries.text('manifest.json', longestManifest));
    const named = [...manifest.tables, ...manifest.evidence].map(({ name, bytes, sha256 }) => ({
      name,
      bytes,
      sha256,
    }));
    const isComplete =
      manifest.format === exportFormat && entries.name === undefined && isDeepStrictEqual(named, parts);
    return isComplete ? manifest : undefined;
  } catch {
    return undefined;
  } finally {
    file.destroy();
  }
}
