import { anchorSearch } from '../anchors.ts';
import type { NamedLibrary } from './find-in-url.ts';
import { generations, generationsIn, withRestated } from './generations.ts';
import type { Signature } from './signatures/signature.ts';
import { signatures } from './signatures.ts';
import { VersionVariables } from './version-variables.ts';

const signaturesAt = new Map<string, Signature[]>();
for (const signature of signatures) {
  signaturesAt.set(signature.anchor, [...(signaturesAt.get(signature.anchor) ?? []), signature]);
}

const ofGenerations = new Set(generations.map(({ anchor }) => anchor));
const anchors = anchorSearch([...signaturesAt.keys(), ...ofGenerations]);

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
  const seen = new Set<string>();
  const variables = new VersionVariables(text);
  anchors.lastIndex = 0;
  for (let anchor = anchors.exec(text); anchor !== null; anchor = anchors.exec(text)) {
    if (ofGenerations.has(anchor[0])) seen.add(anchor[0]);
    const count = tries.get(anchor[0]) ?? 0;
    if (count >= maxTries) {
      isPartial ||= signaturesAt.has(anchor[0]);
      continue;
    }
    tries.set(anchor[0], count + 1);
    for (const { library, pattern } of signaturesAt.get(anchor[0]) ?? []) {
      pattern.lastIndex = anchor.index;
      const match = pattern.exec(text);
      if (match === null) continue;
      const version = versionOf(match.groups ?? {}, variables, anchor.index);
      if (version !== undefined) found.set(`${library} ${version}`, withRestated({ library, version }));
    }
  }
  const exact = [...found.values()];
  const known = new Set(exact.map(({ library }) => library));
  return { libraries: [...exact, ...generationsIn(text, seen, known)], isPartial };
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
