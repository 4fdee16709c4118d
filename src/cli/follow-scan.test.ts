import { expect, it } from 'vitest';
import type { ScanWithRuns } from '../contract/scans.ts';
import type { Answer, Client } from './client.ts';
import { followScan, ScanTimeout } from './follow-scan.ts';

/** A client that gets these answers, in order; the last one repeats. */
function clientOf(answers: readonly { status: number; finished?: boolean }[]): {
  client: Client;
  sent: string[];
} {
  const sent: string[] = [];
  const send = async (method: string, target: string): Promise<Answer> => {
    sent.push(`${method} ${target}`);
    const { status, finished } = answers[Math.min(sent.length, answers.length) - 1]!;
    const scan = { id: 's', status: 'running', runs: [], finished_at: finished ? 'then' : null };
    const bytes = Buffer.from(JSON.stringify(status === 200 ? { scan } : { error: 'Unauthorized' }));
    return { status, statusText: '', bytes, request: { method, target }, clockAhead: 0 } as unknown as Answer;
  };
  return { client: { settings: { token: 'svc_live_x' }, send } as unknown as Client, sent };
}

function options(timeoutMs = 10_000) {
  const shown: (ScanWithRuns | 'stop')[] = [];
  const progress = { update: (scan: ScanWithRuns) => shown.push(scan), stop: () => shown.push('stop') };
  return { shown, progress, timeoutMs, firstPauseMs: 1, limitPauseMs: 1 };
}

it('polls until the scan has finished, and shows each answer', async () => {
  const { client, sent } = clientOf([{ status: 200 }, { status: 200 }, { status: 200, finished: true }]);
  const following = options();
  expect(await followScan(client, 's', following)).toMatchObject({ finished_at: 'then' });
  expect(sent).toEqual(Array(3).fill('GET /api/v1/scans/s'));
  expect(following.shown).toHaveLength(4);
  expect(following.shown.at(-1)).toBe('stop');
});

it('waits while the request limit is reached, with a maximum', async () => {
  const patient = clientOf([{ status: 401 }, { status: 401 }, { status: 200, finished: true }]);
  expect(await followScan(patient.client, 's', options())).toMatchObject({ finished_at: 'then' });
  const refused = clientOf([{ status: 401 }]);
  await expect(followScan(refused.client, 's', options())).rejects.toThrow(/401/);
  expect(refused.sent).toHaveLength(6);
});

it('stops at any other refusal, and when the time is up', async () => {
  const missing = clientOf([{ status: 404 }]);
  const following = options();
  await expect(followScan(missing.client, 's', following)).rejects.toThrow(/404/);
  expect(following.shown).toEqual(['stop']);
  await expect(followScan(clientOf([{ status: 200 }]).client, 's', options(20))).rejects.toThrow(ScanTimeout);
});
