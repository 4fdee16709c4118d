import type { InjectionProbe } from './website.ts';

/** Factors of a product that no page contains by accident. */
const factors = [8_923, 7_841] as const;

/** The product of the calculation that templates are given. */
export const product = String(factors[0] * factors[1]);

/** A host that does not exist (RFC 2606), with the word. */
export const foreignHost = (word: string): string => `${word}.example`;

/**
 * The texts that are sent in one parameter. Quotes alone end a text of an SQL statement; doubled, they are part of it again.
 *
 * @param word letters and digits
 * @param value that the page offers, or the word
 */
export function injectionTests(
  word: string,
  value: string,
): readonly { readonly kind: InjectionProbe['kind']; readonly text: string }[] {
  const calculation = `${factors[0]}*${factors[1]}`;
  return [
    { kind: 'sql', text: `${value}'"` },
    { kind: 'sql_doubled', text: `${value}''""` },
    {
      kind: 'template',
      text: `${word}{{${calculation}}}\${${calculation}}<%= ${calculation} %>#{${calculation}}${word}`,
    },
    { kind: 'redirect', text: `https://${foreignHost(word)}/` },
    { kind: 'redirect', text: `//${foreignHost(word)}/` },
    { kind: 'file', text: '../../../../../../../../../../etc/passwd' },
    { kind: 'file', text: '/etc/passwd' },
    { kind: 'file', text: String.raw`..\..\..\..\..\..\..\..\windows\win.ini` },
  ];
}
