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
  for (const [name, member] of Object.entries(value)) {
    const problem = payloadProblem(name, depth) ?? payloadProblem(member, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}
