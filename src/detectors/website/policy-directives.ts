/**
 * A Content-Security-Policy's directives as browsers parse them (CSP 3, 2.2.1): the first of a name, with
 * ASCII spaces only.
 *
 * @param policy one, not a list
 * @returns values by name, in lowercase
 */
export function directivesOf(policy: string): ReadonlyMap<string, readonly string[]> {
  const directives = new Map<string, readonly string[]>();
  for (const directive of policy.split(';')) {
    const [name, ...words] = directive.split(/[\t\n\f\r ]+/).filter(word => word !== '');
    const known = name?.toLowerCase();
    if (known !== undefined && !directives.has(known)) directives.set(known, words);
  }
  return directives;
}

/** The policies in the values of a header or meta element: one value may contain several (RFC 9110 lists), and all are enforced. */
export function separatePolicies(values: readonly string[]): string[] {
  return values.flatMap(value => value.split(',')).filter(value => /[^\t\n\f\r ]/.test(value));
}
