import { expect, it } from 'vitest';
import { Heartbeat } from '../contract/probe-events.ts';
import { linearAjv } from '../http/validation.ts';
import { makeHeartbeat } from './heartbeat.ts';

it('is valid with the longest interval of a target, which a probe that cron starts reports', () => {
  const spool = { events: 0, bytes: 0, oldestAt: null, setAside: 0 };
  const content = makeHeartbeat(
    [],
    () => {
      throw new Error('has no target');
    },
    '2026-11-26T09:00:00.000Z',
    30 * 86_400,
    spool,
  );
  const id = '00000000-0000-4000-8000-000000000001';
  const probe = { name: 'office', version: '1.0.0', instance: id };
  const event = { ...content, id, occurred_at: '2026-11-26T09:00:00.000Z', schema: 1, probe };
  const validate = linearAjv().compile(Heartbeat);
  expect([validate(event), validate.errors]).toEqual([true, null]);
  expect(content).toMatchObject({ interval_seconds: 2_592_000 });
});
