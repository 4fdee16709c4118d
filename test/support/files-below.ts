import { readdirSync } from 'node:fs';

/** Files in a folder of the project whose paths match, as `folder/…`, without installed packages. */
export function filesBelow(folder: string, form: RegExp): string[] {
  return readdirSync(new URL(`../../${folder}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .map(name => `${folder}/${name}`)
    .filter(path => form.test(path) && !path.includes('/node_modules/'));
}
