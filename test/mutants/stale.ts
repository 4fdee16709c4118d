import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Mutant, mutate } from './mutant.ts';

/**
 * What keeps mutants from testing anything: their text is not in the code, a later migration replaces what they change,
 * their test runs programs, or two have the same name. Each is a sentence.
 */
export function findStale(mutants: readonly Mutant[], root: string): string[] {
  const problems = mutants.flatMap(mutant => {
    try {
      mutate(readFileSync(join(root, mutant.file), 'utf8'), mutant);
      // The copies in which mutants are tested have no programs.
      if (mutant.killedBy.file.startsWith('test/e2e/')) {
        return [`"${mutant.name}" is tested by programs, which run unmutated: name a test of modules`];
      }
      return laterMigrations(mutant, root).map(
        later => `"${mutant.name}" changes nothing: ${later} replaces what it changes in ${mutant.file}`,
      );
    } catch (error) {
      return [(error as Error).message];
    }
  });
  const names = mutants.map(({ name }) => name);
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  return [...problems, ...repeated.map(name => `Two are named "${name}"`)];
}

/** Migrations that replace the function which the mutant changes. */
function laterMigrations({ file, search }: Mutant, root: string): string[] {
  const folder = dirname(file);
  if (folder !== 'migrations') return [];
  const before = readFileSync(join(root, file), 'utf8').split(search, 1)[0]!;
  const name = /.*^create (?:or replace )?(?:function|procedure) (\w+)(?!.*^end \$\$;)/ms.exec(before)?.[1];
  if (name === undefined) return [];
  const replacing = new RegExp(`^create or replace (?:function|procedure) ${name}\\(`, 'm');
  return readdirSync(join(root, folder))
    .map(later => `${folder}/${later}`)
    .filter(later => later > file && replacing.test(readFileSync(join(root, later), 'utf8')));
}
