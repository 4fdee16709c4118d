import type { PostgresPolicy } from '../../../evidence/postgres.ts';

/** The policy's table: `schema.name`. */
export const keyOf = ({ schema, relation }: PostgresPolicy) => `${schema}.${relation}`;

/**
 * Whether a policy permits by itself: it is for everybody or a role of users, and no restrictive policy narrows it.
 *
 * @param all every policy of the database
 * @param everybody names that stand for users: `PUBLIC`, roles of an API
 */
export function holdsForEverybody(
  policy: PostgresPolicy,
  all: readonly PostgresPolicy[],
  everybody: ReadonlySet<string>,
): boolean {
  if (!policy.permissive || !policy.roles.some(role => everybody.has(role))) return false;
  const narrows = (other: PostgresPolicy) =>
    !other.permissive &&
    keyOf(other) === keyOf(policy) &&
    (other.command === 'all' || other.command === policy.command) &&
    (other.roles.includes('PUBLIC') || policy.roles.every(role => other.roles.includes(role))) &&
    [other.using, other.check].includes('other');
  return !all.some(narrows);
}
