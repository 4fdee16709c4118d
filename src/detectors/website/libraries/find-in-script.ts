import { anchorSearch } from '../anchors.ts';
import type { NamedLibrary } from './find-in-url.ts';
import { type Signature, signatures } from './signatures.ts';

const signaturesAt = new Map<string, Signature[]>();
for (const signature of signatures) {
  signaturesAt.set(signature.anchor, [...(signaturesAt.get(signature.anchor) ?? []), signature]);
}

const anchors = anchorSearch(signaturesAt.keys());

/**
 * Comparisons per anchor: a real script contains a library once or twice, a hostile one any number of
 * anchors.
 */
const maxTries = 1_000;

/** Characters between the assignment of a version to a variable in minified code and its use, at most. */
const variableDistance = 4_000;
const maxAssignments = 50;

/**
 * Libraries with their versions, from a script's text, each once. The text is searched once for the anchors
 * of all signatures, and a bounded part around each is compared.
 *
 * @returns isPartial: libraries may be missing because the text has an anchor or an assignment more often
 * than is compared
 */
export function librariesInScript(text: string): {
  readonly libraries: readonly NamedLibrary[];
  readonly isPartial: boolean;
} {
  let isPartial = false;
  const found = new Map<string, NamedLibrary>();
  const tries = new Map<string, number>();
  anchors.lastIndex = 0;
  for (let anchor = anchors.exec(text); anchor !== null; anchor = anchors.exec(text)) {
    const count = tries.get(anchor[0]) ?? 0;
    if (count >= maxTries) {
      isPartial = true;
      continue;
    }
    tries.set(anchor[0], count + 1);
    for (const { library, pattern } of signaturesAt.get(anchor[0])!) {
      pattern.lastIndex = anchor.index;
      const match = pattern.exec(text);
      if (match === null) continue;
      const version = versionOf(match.groups ?? {}, text, anchor.index);
      if (version === 'unread') isPartial = true;
      else if (version !== undefined) found.set(`${library} ${version}`, { library, version });
    }
  }
  return { libraries: [...found.values()], isPartial };
}

function versionOf(
  { version, major, minor, variable }: Readonly<Record<string, string | undefined>>,
  text: string,
  end: number,
): string | 'unread' | undefined {
  if (major !== undefined) return `${major}.${minor}`;
  return version ?? (variable === undefined ? undefined : readVariable(variable, text, end));
}

/**
 * The version in a variable that was assigned shortly before: `var f="3.5.1",`. Unread if it is assigned more
 * often than is compared.
 */
function readVariable(name: string, text: string, end: number): string | 'unread' | undefined {
  const window = text.slice(Math.max(0, end - variableDistance), end);
  const assignment = `${name}=`;
  let at = window.length;
  for (let step = 0; step < maxAssignments && at > 0; step++) {
    at = window.lastIndexOf(assignment, at - 1);
    const value = window.slice(at + assignment.length, at + assignment.length + 40);
    const version = /^["'](\d{1,4}(?:\.\d{1,5}){1,3}(?:-(?:alpha|beta|rc|canary)[.\d]{0,8})?)["' ]/.exec(
      value,
    )?.[1];
    if (at > 0 && version !== undefined && /[\s,;{(]/.test(window[at - 1]!)) return version;
  }
  return at > 0 ? 'unread' : undefined;
}
