/** `NAME=value`, as shells and their libraries write it. */
const assignment = /^\s{0,20}(?:(?:export|declare -x|set)\s{1,8})?([A-Za-z_]\w{1,60})[ \t]{0,20}=([^\n]*)$/;

const comment = /^\s*(?:#|;|\/\/|$)/;

/** Names of all variables that a file appears to set, including lines of long values that look like an assignment. */
export function variableNames(body: string): string[] {
  return body.split('\n').flatMap(line => assignment.exec(line)?.[1] ?? []);
}

/** What an environment file sets, as a sentence; null if it is not one. */
export function environmentFile(body: string): string | null {
  const lines = body.split('\n').filter(line => !comment.test(line));
  const isSetting = (line: string) => assignment.test(line);
  // In other text, only uppercase names are variables.
  const isOne = lines.some(line => /^[A-Z][A-Z0-9_]{2}/.test(assignment.exec(line)?.[1] ?? ''));
  if (!isOne && (lines.length === 0 || !lines.every(isSetting))) return null;
  const rank = (name: string) => (/PASS|SECRET|KEY|TOKEN|CREDENTIAL|DSN|URL$/i.test(name) ? 0 : 1);
  const shown = [...new Set(namesToShow(lines))].sort((a, b) => rank(a) - rank(b)).slice(0, 5);
  return shown.length === 0
    ? 'It sets environment variables (names and values omitted).'
    : `It sets environment variables such as ${shown.join(', ')} (values omitted).`;
}

/** Whether a file contains only comments. */
export function isCommentOnly(body: string): boolean {
  return body.split('\n').every(line => comment.test(line));
}

/** Names that cannot be part of a value: those outside quotes that look like a name and have a value. */
function namesToShow(lines: readonly string[]): string[] {
  const names: string[] = [];
  let quote: string | null = null;
  for (const line of lines) {
    if (quote !== null) {
      if (line.includes(quote)) quote = null;
      continue;
    }
    const [, name = '', rest = ''] = assignment.exec(line) ?? [];
    const value = rest.trim();
    const first = value[0] ?? '';
    if ((first === '"' || first === "'") && !value.includes(first, 1)) quote = first;
    // Lines of encoded text end with `=`.
    if (value !== '' && first !== '=' && hasFormOfName(name)) names.push(name);
  }
  return names;
}

/** Encoded text has long runs of characters, often in both cases. */
function hasFormOfName(name: string): boolean {
  return /^(?:[A-Z\d_]+|[a-z\d_]+)$/.test(name) && name.split('_').every(word => word.length <= 16);
}
