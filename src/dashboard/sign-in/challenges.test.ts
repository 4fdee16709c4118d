import { randomBytes } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { givenKeyRing } from '../../resources/credentials/key-ring.ts';
import { parseMasterKey } from '../../resources/credentials/master-key.ts';
import { isChallenge, issueChallenge } from './challenges.ts';

const newRing = () => givenKeyRing(parseMasterKey(randomBytes(32).toString('base64')));

afterEach(() => void vi.useRealTimers());

it('counts for five minutes, for its purpose, under its master key and as it was issued', async () => {
  const ring = newRing();
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_000 });
  const challenge = await issueChallenge(ring, 'one');
  vi.setSystemTime(1_000_000_000 + 299_000);
  expect(await isChallenge(ring, 'one', challenge)).toBe(true);
  expect(await isChallenge(ring, 'two', challenge)).toBe(false);
  expect(await isChallenge(newRing(), 'one', challenge)).toBe(false);
  const [random, expires, id, mac] = challenge.split('.');
  const later = (Number.parseInt(expires!, 36) + 1000).toString(36);
  for (const changed of [
    [random, later, id, mac],
    [`${random}x`, expires, id, mac],
    [random, expires, id, mac, ''],
    [random, expires, id],
    [random, expires, id, `${mac}x`],
  ]) {
    expect(await isChallenge(ring, 'one', changed.join('.')), changed.join('.')).toBe(false);
  }
  vi.setSystemTime(1_000_000_000 + 300_000);
  expect(await isChallenge(ring, 'one', challenge)).toBe(false);
});
