import { open, readFile } from 'node:fs/promises';
import { type AuditHead, headsIn } from '../database/audit-heads.ts';

/** Anchors per batch. */
const batchLength = 1_000;
/** Bytes. A multi-line JSON document is read into memory; a log is streamed. */
const largestDocument = 64 * 1024 * 1024;

/**
 * Reads audit heads in batches, from a log with `audit.heads` lines or from the output of `parapet doctor --json`. Text before
 * the JSON of a line, as log collectors add it, and other lines are ignored.
 *
 * @param onCut called for a line that was too long for the log, whose heads are not all there
 * @param onDeleted called for an organization whose deletion the log has
 */
export async function* readAnchors(
  path: string,
  onCut: () => void,
  onDeleted: (organizationId: string) => void = () => {},
): AsyncGenerator<AuditHead[]> {
  const file = await open(path);
  const { size } = await file.stat();
  let found = 0;
  let batch: AuditHead[] = [];
  for await (const line of file.readLines()) {
    const heads = headsOf(line, onCut, onDeleted);
    found += heads.length;
    batch.push(...heads);
    if (batch.length >= batchLength) {
      yield batch;
      batch = [];
    }
  }
  if (found === 0 && size <= largestDocument) batch = headsOf(await readFile(path, 'utf8'), onCut, onDeleted);
  if (batch.length > 0) yield batch;
}

const told = /audit[._]heads|organization\.deleted/;

function headsOf(text: string, onCut: () => void, onDeleted: (organizationId: string) => void): AuditHead[] {
  if (!told.test(text)) return [];
  try {
    const document = JSON.parse(text.slice(text.indexOf('{')));
    if (document.msg === 'organization.deleted') onDeleted(String(document.organization_id));
    if (document.msg === 'audit.heads' && document.cut === true) onCut();
    return headsIn(document);
  } catch {
    return [];
  }
}
