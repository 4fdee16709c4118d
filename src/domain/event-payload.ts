const deepest = 16;

/** Returns why a payload is rejected: text that PostgreSQL cannot store (U+0000, lone surrogates), or too deep nesting. */
export function payloadProblem(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') {
    if (value.includes('\u0000') || !value.isWellFormed())
      return 'must not contain U+0000 or lone surrogates';
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === deepest) return `must not be nested more than ${deepest} levels deep`;
  if (Array.isArray(value)) return firstProblem(value, depth + 1);
  return firstProblem(Object.keys(value), depth) ?? firstProblem(Object.values(value), depth + 1);
}

function firstProblem(values: readonly unknown[], depth: number): string | undefined {
  for (const value of values) {
    const problem = payloadProblem(value, depth);
    if (problem) return problem;
  }
  return undefined;
}
