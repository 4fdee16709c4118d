import { expect, it } from 'vitest';
import { choicesOf, withChosen } from './choices.ts';

const choices = choicesOf({ tls: 'TLS', mail: 'Email' });

it('keeps the order of the labels', () => {
  expect(choices).toEqual([
    { value: 'tls', label: 'TLS' },
    { value: 'mail', label: 'Email' },
  ]);
});

it('adds a chosen value that is not among the choices, so that it can be seen and removed', () => {
  expect(withChosen(choices, 'tls.old')).toEqual([...choices, { value: 'tls.old', label: 'tls.old' }]);
  expect(withChosen(choices, 'tls')).toEqual(choices);
  expect(withChosen(choices, undefined)).toEqual(choices);
});
