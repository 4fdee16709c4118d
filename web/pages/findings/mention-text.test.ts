import { expect, it } from 'vitest';
import { matching, mentionAt, mentionables, toBody, toText } from './mention-text.ts';

const people = mentionables([
  { id: 'a', name: 'Ann' },
  { id: 'b', name: 'Ann Lee' },
  { id: 'c', name: 'Zoë Ann' },
  { id: 'd', name: 'Ann Lee' },
]);

it('names two people with the same name differently', () => {
  expect(people.map(({ label }) => label)).toEqual(['Ann', 'Ann Lee', 'Zoë Ann', 'Ann Lee (2)']);
});

it.each([
  ['@Ann, please', '<@a>, please'],
  ['Ask @Ann Lee and @Zoë Ann.', 'Ask <@b> and <@c>.'],
  ['@Ann Lee (2)', '<@d>'],
  ['@Anna and ann@Ann and @Bob', '@Anna and ann@Ann and @Bob'],
  ['@@Ann', '@<@a>'],
])('stores %j as %j, and shows it as it was', (text, body) => {
  expect(toBody(text, people)).toBe(body);
  expect(toText(body, people)).toBe(text);
});

it('knows what is typed of a mention', () => {
  expect(mentionAt('Ask @an', 7)).toEqual({ start: 4, part: 'an' });
  expect(mentionAt('Ask @Ann Le', 11)).toEqual({ start: 4, part: 'Ann Le' });
  expect(mentionAt('Ask @an', 4)).toBeUndefined();
  expect(mentionAt('mail@an', 7)).toBeUndefined();
  expect(mentionAt('@an\nnext', 8)).toBeUndefined();
});

it('finds people by any word of their name', () => {
  expect(matching(people, 'ann').map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  expect(matching(people, 'le').map(({ id }) => id)).toEqual(['b', 'd']);
  expect(matching(people, 'x')).toEqual([]);
});
