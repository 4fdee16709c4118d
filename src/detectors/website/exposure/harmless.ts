import { holdsNoSecret } from './secret-files.ts';
import type { FileKind } from './signatures.ts';

/** Forms in which a file or endpoint of a kind answers when it gives nothing away. Kinds that are none here have no such form. */
const harmless: Partial<Record<FileKind, (body: string, path: string) => boolean>> = {
  secrets_file: holdsNoSecret,
  // An index of endpoints without those that tell settings or memory.
  actuator: body => /^\s{0,20}\{\s{0,20}"_links"\s{0,8}:/.test(body),
  cross_domain_policy: body => /<cross-domain-policy\b|<access-policy\b/.test(body),
  // A GraphQL response without the schema (GraphQL specification, 7.1).
  graphql: body => /^\s{0,20}\{\s{0,20}"(?:data|errors)"\s{0,8}:/.test(body),
};

export function isHarmless(kind: FileKind, body: string, path: string): boolean {
  return harmless[kind]?.(body, path) ?? false;
}
