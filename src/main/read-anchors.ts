import { open, readFile } from 'node:fs/promises';
import { type AuditHead, headsIn } from '../database/audit-heads.ts';

/** Anchors that are compared at a time. */
const batchLength = 1_000;
/** A document over several lines is read whole, a log is not. */
const largestDocument = 64 * 1024 * 1024;

/**
 * The audit heads in a file, in batches: a log with lines `audit.heads`, whatever a log collector put before the JSON of
 * each, or what `parapet doctor --json` printed before. Other lines are passed over.
 */
export async function* readAnchors(path: string): AsyncGenerator<AuditHead[]> {
  const file = await open(path);
  const { size } = await file.stat();
  let found = 0;
  let batch: AuditHead[] = [];
  for await (const line of file.readLines()) {
    const heads = headsOf(line);
    found += heads.length;
    batch.push(...heads);
    if (batch.length >= batchLength) {
      yield batch;
      batch = [];
    }
  }
  if (found === 0 && size <= largestDocument) batch = headsOf(await readFile(path, 'utf8'));
  if (batch.length > 0) yield batch;
}

function headsOf(text: string): AuditHead[] {
  if (!text.includes('audit.heads') && !text.includes('audit_heads')) return [];
  try {
    return headsIn(JSON.parse(text.slice(text.indexOf('{'))));
  } catch {
    return [];
  }
}
