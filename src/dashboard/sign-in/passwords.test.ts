import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Refusal } from '../../domain/refusal.ts';
import { assertStrongPassword } from './passwords.ts';

const refusal = async (password: string, known: readonly string[] = []) => {
  const place = { line: 'others', holder: 'a link' } as const;
  const error = await assertStrongPassword(password, known, place).catch((thrown: unknown) => thrown);
  if (error === undefined) return undefined;
  expect(error).toBeInstanceOf(Refusal);
  return (error as Refusal).code;
};

it.each([
  ['a few words that do not belong together', 'meadow brick falcon 29', undefined],
  ['a breached one', 'Password1234', 'weak_password'],
  ['one character that stands for many', 'ﷺ', 'weak_password'],
  ['a breached one, in full-width letters', 'Ｐａｓｓｗｏｒｄ１２３４', 'weak_password'],

  ['a short one', 'k3!xQ9', 'weak_password'],
  ['one repeated sign', '4'.repeat(64), 'weak_password'],
  ['the name, with dashes', 'ada-lovelace-ada-lovelace', 'weak_password'],
])('judges %s', async (_what, password, code) => {
  expect(await refusal(password, ['Ada Lovelace', 'ada@example.com'])).toBe(code);
});

it('estimates hostile passwords beside the event loop, and refuses more than can wait', async () => {
  // Characters with many look-alike substitutions.
  const hostile = '{|(‹µ[89!1|0$2?7%24@(<?[6967|6$5+76#4@||{[6!µ990';
  await refusal(hostile);
  let [turns, done] = [0, false];
  const codes = Promise.all(Array.from({ length: 60 }, () => refusal(hostile, [hostile])));
  void codes.finally(() => {
    done = true;
  });
  for (; !done; turns++) await setImmediate();
  expect(turns, 'of others in the meantime').toBeGreaterThan(100);
  expect(new Set(await codes)).toEqual(new Set(['weak_password', 'too_busy']));
});
