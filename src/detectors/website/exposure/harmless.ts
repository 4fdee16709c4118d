import { hasNoSecret } from './secret-files.ts';
import type { FileKind } from './signatures.ts';

/** Responses of a file or endpoint that expose nothing, by kind. */
const harmless: Partial<Record<FileKind, (body: string, path: string) => boolean>> = {
  secrets_file: hasNoSecret,
  // An index without endpoints that expose settings or memory.
  actuator: body => /^\s{0,20}\{\s{0,20}"_links"\s{0,8}:/.test(body),
  cross_domain_policy: body => /<cross-domain-policy\b|<access-policy\b/.test(body),
  // A GraphQL response without the schema (GraphQL specification, 7.1).
  graphql: body => /^\s{0,20}\{\s{0,20}"(?:data|errors)"\s{0,8}:/.test(body),
};

export function isHarmless(kind: FileKind, body: string, path: string): boolean {
  return harmless[kind]?.(body, path) ?? false;
}
