import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Finding, FindingStatus } from '../contract/findings.ts';
import type { ScanWithRuns } from '../contract/scans.ts';
import { findChanges } from './changes.ts';
import { changesMarkdown } from './changes-markdown.ts';
import type { Answer, Client } from './client.ts';

const requested = '2026-01-02T00:00:00.000+00:00';

function finding(fields: Partial<Finding> = {}): Finding {
  return {
    id: randomUUID(),
    severity: 'high',
    category: 'tls.weak_key',
    title: 'Weak key',
    remediation: 'Use another one',
    status: 'open',
    created_at: '2026-01-01T00:00:00.000+00:00',
    updated_at: requested,
    system_id: randomUUID(),
    ...fields,
  };
}

/** A service with these triaged findings. */
function clientOf(triaged: Partial<Record<FindingStatus, Finding[]>> = {}) {
  const sent: string[] = [];
  const send = async (_method: string, target: string): Promise<Answer> => {
    sent.push(target);
    const status = new URL(target, 'http://x').searchParams.get('status') as FindingStatus;
    const bytes = Buffer.from(JSON.stringify({ findings: triaged[status] ?? [], next_cursor: null }));
    return { status: 200, bytes, request: {} } as unknown as Answer;
  };
  return { client: { settings: {}, send } as unknown as Client, sent };
}

const target = { kind: 'source', id: randomUUID() } as const;
const scan = { created_at: requested };

it('distinguishes new, reopened, resolved, triaged and unchanged findings', async () => {
  const [unchanged, reopened, resolved] = [finding(), finding(), finding()];
  const created = finding({ created_at: '2026-01-02T00:00:01.000+00:00' });
  const accepted = finding({ status: 'accepted' });
  const { client } = clientOf({ accepted: [accepted] });
  const before = [unchanged, resolved, { ...accepted, status: 'open' as const }];
  const changes = await findChanges(client, target, scan, before, [created, unchanged, reopened]);
  expect(changes).toEqual({
    created: [created],
    reopened: [reopened],
    resolved: [resolved],
    isComplete: true,
  });
});

it('reads no triaged findings if none is gone', async () => {
  const { client, sent } = clientOf();
  await findChanges(client, target, scan, [], [finding()]);
  expect(sent).toEqual([]);
});

it('claims only new findings of a scan that had started before', async () => {
  const created = finding({ created_at: requested });
  const changes = await findChanges(clientOf().client, target, scan, undefined, [created, finding()]);
  expect(changes).toEqual({ created: [created], reopened: [], resolved: [], isComplete: false });
});

const ended = {
  id: randomUUID(),
  profile: 'safe_all_surfaces',
  status: 'completed',
  verdict: 'fail',
  runs_planned: 1,
  runs_succeeded: 1,
  system_id: null,
  source_id: target.id,
  created_at: requested,
  started_at: requested,
  finished_at: requested,
  runs: [],
} satisfies ScanWithRuns;

const options = {
  scan: ended,
  target: { ...target, name: 'Shop' },
  open: [finding()],
  describeCause: (cause: string) => cause,
  checksPage: 'https://p.example/docs/checks',
  findingPage: (id: string) => `https://p.example/dashboard/findings/${id}`,
};
const none = { created: [], reopened: [], resolved: [], isComplete: true };

it('writes the counts, then each changed finding with its links, most severe first', () => {
  const [low, critical] = [
    finding({ severity: 'low' }),
    finding({ severity: 'critical', title: 'Key | leaked' }),
  ];
  const text = changesMarkdown({ ...none, created: [low, critical], resolved: [finding()] }, options);
  const [counts, heading] = text.split('\n');
  expect(counts).toBe('<!-- parapet-scan new=2 reopened=0 resolved=1 -->');
  expect(heading).toBe('## Parapet: 2 new, 1 resolved');
  expect(text).toContain('Scan of source `Shop` completed. Verdict: **fail**. Open findings: 1 (1 high).');
  expect(text).toContain(
    `| critical | [Key \\| leaked](https://p.example/dashboard/findings/${critical.id}) | [\`tls.weak_key\`](https://p.example/docs/checks#tls.weak_key) |`,
  );
  expect(text.indexOf(critical.id)).toBeLessThan(text.indexOf(low.id));
  expect(text).not.toContain('Reopened');
});

it('says that nothing changed, and what is not known', () => {
  expect(changesMarkdown(none, options)).toContain('## Parapet: no changes\n');
  const unknown = changesMarkdown({ ...none, isComplete: false }, options);
  expect(unknown).toContain('Reopened and resolved findings are not known.');
});

it('stays below the length of a comment, whatever the texts are', () => {
  const hostile = () => finding({ title: '*'.repeat(5_000), category: `x${'|'.repeat(500)}` });
  const many = Array.from({ length: 500 }, hostile);
  const runs = Array.from({ length: 500 }, (_, index) => ({
    id: randomUUID(),
    detector: `website.${'*'.repeat(300)}${index}`,
    source_id: target.id,
    status: 'failed' as const,
    cause: 'timeout' as const,
    started_at: null,
    finished_at: null,
  }));
  const text = changesMarkdown(
    { ...none, created: many, reopened: many, resolved: many },
    { ...options, scan: { ...ended, runs }, target: { ...target, name: '`<b>'.repeat(200) } },
  );
  expect(text.length).toBeLessThan(65_536);
  expect(text).toContain('more are in the dashboard.');
  expect(text).not.toContain('<b>`');
});
