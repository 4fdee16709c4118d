const deepest = 16;

/**
 * Why an event's payload cannot be kept, or undefined: JSON that PostgreSQL cannot store (U+0000, a lone surrogate), or
 * nesting without end.
 */
export function payloadProblem(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') {
    if (value.includes('\u0000') || !value.isWellFormed())
      return 'has text that cannot be stored (U+0000 or a lone surrogate)';
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === deepest) return `is nested more than ${deepest} levels deep`;
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
