import { AnchorTable } from '../anchor-table.ts';
import type { NamedLibrary } from './find-in-url.ts';
import { generations, generationsIn, withRestated } from './generations.ts';
import type { Signature } from './signatures/signature.ts';
import { signatures } from './signatures.ts';
import { VersionVariables } from './version-variables.ts';

interface Mark {
  readonly anchor: string;
  readonly signatures: readonly Signature[];
}

const marks = new AnchorTable<Mark>();
for (const found of new Set([...signatures, ...generations].map(({ anchor }) => anchor))) {
  marks.add(found, { anchor: found, signatures: signatures.filter(({ anchor }) => anchor === found) });
}

/**
 * Comparisons per anchor: a real script contains a library once or twice, a hostile one any number of
 * anchors.
 */
const maxTries = 1_000;

/**
 * Libraries with their versions, from a script's text, each once. The text is searched once for the anchors
 * of all signatures, and a bounded part around each is compared.
 *
 * @returns isPartial: libraries may be missing because the text has an anchor more often than is compared
 */
export function librariesInScript(text: string): {
  readonly libraries: readonly NamedLibrary[];
  readonly isPartial: boolean;
} {
  let isPartial = false;
  const found = new Map<string, NamedLibrary>();
  const tries = new Map<string, number>();
  const variables = new VersionVariables(text);
  marks.search(text, (at, [mark]) => {
    const { anchor, signatures } = mark!;
    const count = tries.get(anchor) ?? 0;
    if (count >= maxTries) {
      isPartial ||= signatures.length > 0;
      return null;
    }
    tries.set(anchor, count + 1);
    for (const { library, pattern } of signatures) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match === null) continue;
      const version = versionOf(match.groups ?? {}, variables, at);
      if (version !== undefined) found.set(`${library} ${version}`, withRestated({ library, version }));
    }
    return null;
  });
  const exact = [...found.values()];
  const known = new Set(exact.map(({ library }) => library));
  return { libraries: [...exact, ...generationsIn(text, tries, known)], isPartial };
}

function versionOf(
  groups: Readonly<Record<string, string | undefined>>,
  variables: VersionVariables,
  end: number,
): string | undefined {
  const { version, major, minor, patch, revision, revisionVariable, variable, module, key } = groups;
  if (module !== undefined && key !== undefined) return variables.inModule(module, key);
  if (major !== undefined) return patch === undefined ? `${major}.${minor}` : `${major}.${minor}.${patch}`;
  const counted = revision ?? (revisionVariable && variables.revisionBefore(revisionVariable, end));
  if (counted) return `0.${counted}.0`;
  return version ?? (variable === undefined ? undefined : variables.before(variable, end));
}
