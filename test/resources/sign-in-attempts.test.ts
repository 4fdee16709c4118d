import { beforeAll, expect, it } from 'vitest';
import { forgetOldSignIns } from '../../src/resources/people/forget.ts';
import { admitAttempt, totpOf } from '../../src/resources/people/sign-in-attempts.ts';
import { asOwner } from '../support/postgres.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

/** Moves the stored times this many seconds into the past. */
const pass = (seconds: number) =>
  asOwner(service.database.connection, client =>
    client.query(
      `update sign_in_attempts set last_attempt_at = last_attempt_at - make_interval(secs => $1),
        blocked_until = blocked_until - make_interval(secs => $1)`,
      [seconds],
    ),
  );

const week = 7 * 24 * 3600;

it.each([
  ['as soon as there is no delay', 0],
  ['with a day of nothing after every burst', 25 * 3600],
  ['with a week of nothing after every burst', 8 * 24 * 3600],
])('lets an unknown browser compare at most eight codes a day: %s', async (name, pauseSeconds) => {
  const { people } = service.storage;
  const subject = totpOf(name, undefined);
  let [seconds, compared] = [0, 0];
  // The first week has more, since its delays are short.
  while (seconds < 4 * week) {
    const { wait } = await admitAttempt(people, [subject]);
    if (wait === 0 && seconds > week) compared += 1;
    if (wait === 0) continue;
    const further = wait > 600 ? Math.max(wait, pauseSeconds) : wait;
    await pass(further);
    seconds += further;
    await forgetOldSignIns(people);
  }
  expect(compared / 21).toBeGreaterThan(0.5);
  expect(compared / 21).toBeLessThan(8);
});
