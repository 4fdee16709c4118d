import { expect, it } from 'vitest';
import { strengthOf } from './password-strength.ts';

it('accepts unrelated words', async () => {
  expect(await strengthOf('lantern orbit cactus 71', [])).toEqual({ score: 4, advice: '' });
});

it('says how many characters are missing, and rates no short password higher than weak', async () => {
  expect(await strengthOf('xK7#qP2!vZ9', [])).toEqual({ score: 1, advice: 'Add 1 more character.' });
  expect((await strengthOf('xK7', [])).advice).toBe('Add 9 more characters.');
});

it('advises another word if a long password is easy to guess', async () => {
  const { score, advice } = await strengthOf('password1234', []);
  expect(score).toBeLessThan(4);
  expect(advice).toBe('Add an uncommon word or two.');
});

it('counts the person’s own words as guessable, also in parts', async () => {
  const password = 'Harborview Kobayashi';
  const personal = ['kobayashi@harborview.example'];
  const [unknown, known] = [await strengthOf(password, []), await strengthOf(password, personal)];
  expect(unknown.score).toBe(4);
  expect(known.score).toBeLessThan(unknown.score);
});

it('ignores separators between the letters of a known word', async () => {
  expect((await strengthOf('p-a-s-s-w-o-r-d', [])).score).toBeLessThan(2);
});
