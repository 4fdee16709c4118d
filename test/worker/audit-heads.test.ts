import { afterAll, beforeAll, expect, it } from 'vitest';
import { longestShared } from '../../src/main/log-destination.ts';
import { shortLine } from '../../src/main/short-line.ts';
import { logAuditHeads } from '../../src/worker/log-audit-heads.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

it('logs the heads of many organizations in lines that several processes can write', async () => {
  const organizations = await Promise.all(Array.from({ length: 45 }, () => service.createOrganization()));
  const logged: { heads: { organization_id: string; sequence: number }[] }[] = [];
  const log = logAuditHeads(service.storage.system, (_event, fields) => void logged.push(fields as never));
  await log.stop();
  const heads = logged.flatMap(line => line.heads);
  expect(new Set(heads.map(head => head.organization_id))).toEqual(new Set(organizations));
  for (const { heads } of logged) {
    const largest = heads.map(head => ({ ...head, sequence: Number.MAX_SAFE_INTEGER }));
    const line = `${JSON.stringify({ level: 30, time: Date.now(), pid: 4_194_304, heads: largest, msg: 'audit.heads' })}\n`;
    expect(shortLine(line, longestShared)).toBe(line);
  }
});
