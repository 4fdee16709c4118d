import type { FindingPerson } from '../../../src/contract/dashboard/finding-work.ts';

/** A person as comments name them: `@` and the label. */
export interface Mentionable {
  readonly id: string;
  readonly label: string;
}

/** People with different labels: of two with the same name, the second has a number. */
export function mentionables(people: readonly FindingPerson[]): Mentionable[] {
  const seen = new Map<string, number>();
  return people.map(({ id, name }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { id, label: count === 1 ? name : `${name} (${count})` };
  });
}

const isInName = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** What is typed of a mention at the cursor, and where its `@` is. */
export function mentionAt(
  text: string,
  cursor: number,
): { readonly start: number; readonly part: string } | undefined {
  const start = text.lastIndexOf('@', cursor - 1);
  if (start < 0 || cursor - start > 60 || isInName(text[start - 1])) return undefined;
  const part = text.slice(start + 1, cursor);
  return /[\n@]|\s\s/.test(part) ? undefined : { start, part };
}

/** People whose label, or a word of it, begins with the part. */
export function matching(people: readonly Mentionable[], part: string): Mentionable[] {
  const wanted = part.toLowerCase();
  return people
    .filter(({ label }) => {
      const name = label.toLowerCase();
      return name.startsWith(wanted) || name.includes(` ${wanted}`);
    })
    .slice(0, 6);
}

/** The text as the service stores it: each `@` and label is the ID of the person. */
export function toBody(text: string, people: readonly Mentionable[]): string {
  const longestFirst = [...people].sort((a, b) => b.label.length - a.label.length);
  const pieces = text.split('@');
  return pieces
    .map((piece, index) => {
      if (index === 0) return piece;
      const before = pieces[index - 1]!;
      const person =
        !isInName(before.at(-1)) &&
        longestFirst.find(({ label }) => piece.startsWith(label) && !isInName(piece[label.length]));
      return person ? `<@${person.id}>${piece.slice(person.label.length)}` : `@${piece}`;
    })
    .join('');
}

/** The text of a stored comment, to edit it. */
export function toText(body: string, people: readonly Mentionable[]): string {
  return people.reduce((text, { id, label }) => text.replaceAll(`<@${id}>`, `@${label}`), body);
}
