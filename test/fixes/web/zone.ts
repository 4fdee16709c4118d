import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NameAnswer, NameRecord } from '../../support/name-server.ts';
import { zoneWith } from '../syntax/zone.ts';

/** Records of a domain without flaws. */
export const goodZone = `
example.com. CAA 0 issue "ca.example"
example.com. TXT "v=spf1 mx -all"
_dmarc.example.com. TXT "v=DMARC1; p=reject"
example.com. MX 10 mx.example.com.
`;

/** The sites' domain, which replaces `example.com`; its parent has a DS record. */
const domain = 'clinic.com';
const parent = { [`${domain} DS`]: { records: [{ name: domain, type: 'DS' as const }] } };

const zones = new Map<string, Promise<Record<string, NameAnswer>>>();

/** The DNS answers for a zone's records, as parsed by BIND. @param records as printed */
export function zoneRecords(records: string): Promise<Record<string, NameAnswer>> {
  const answers = zones.get(records) ?? compiled(records);
  zones.set(records, answers);
  return answers;
}

async function compiled(records: string): Promise<Record<string, NameAnswer>> {
  const folder = await mkdtemp(join(tmpdir(), 'zone-'));
  try {
    await writeFile(join(folder, 'printed'), zoneWith(records).replaceAll('example.com', domain));
    await promisify(execFile)('/usr/bin/named-compilezone', [
      ...['-q', '-s', 'full', '-o', join(folder, 'full'), domain, join(folder, 'printed')],
    ]);
    const answers: Record<string, { records: NameRecord[] }> = { ...parent };
    for (const line of (await readFile(join(folder, 'full'), 'utf8')).split('\n')) {
      const [, owner = '', type = '', data = ''] =
        /^(\S+)\.\s+\d+\s+IN\s+(TXT|MX|CAA)\s+(.+)$/.exec(line) ?? [];
      if (owner === '') continue;
      const key = `${owner} ${type}`;
      answers[key] ??= { records: [] };
      answers[key].records.push({ name: owner, type: type as NameRecord['type'], data: dataOf(type, data) });
    }
    return answers;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param text as in a zone file: a preference or flags, then names or quoted strings */
function dataOf(type: string, text: string): string[] {
  const parts = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) =>
    (quoted ?? bare ?? '').replaceAll(/\\(.)/g, '$1'),
  );
  if (type === 'MX') return [parts[1]?.replace(/\.$/, '') ?? ''];
  return type === 'CAA' ? parts.slice(1) : parts;
}
