import { readFile } from 'node:fs/promises';

const page = new URL('../../docs/postgresql.md', import.meta.url);

/** The first code block of docs/postgresql.md in this language. */
export async function blockOf(language: string): Promise<string> {
  const text = await readFile(page, 'utf8');
  const found = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(text);
  if (!found) throw new Error(`docs/postgresql.md has no block of ${language}`);
  return found[1]!;
}
