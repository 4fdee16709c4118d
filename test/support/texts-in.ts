import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of every file in a folder whose files another process replaces and removes. */
export function textsIn(folder: string): string {
  const texts = readdirSync(folder).map(name => {
    try {
      return readFileSync(join(folder, name), 'utf8');
    } catch (error) {
      // It was there a moment ago.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return '';
    }
  });
  return texts.join('\n');
}
