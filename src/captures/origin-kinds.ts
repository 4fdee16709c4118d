/**
 * Kinds of origins that a scan sends: `foreign` is a made-up https origin, `lookalike` one that begins with the site's own name, `suffix` one
 * that ends with its domain, `similar` does both, `dot` has another character instead of a dot, `subdomain` is any name below the
 * domain, `plain_http` the site's own name without TLS, `null` the origin of sandboxed documents.
 */
export const originKinds = [
  ...(['foreign', 'similar', 'lookalike', 'suffix', 'dot', 'subdomain'] as const),
  ...(['plain_http', 'localhost', 'null'] as const),
] as const;

export type OriginKind = (typeof originKinds)[number];
