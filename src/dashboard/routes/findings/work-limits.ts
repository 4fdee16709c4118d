import type { FastifyRequest } from 'fastify';
import type { DashboardServices } from '../../services.ts';

const seconds = 3_600;

/** Changes of findings in an hour, by a person and in an organization. Members can comment, which must not use up what admins need. */
const limits = {
  work: { ofPerson: 10_000, ofOrganization: 20_000 },
  comments: { ofPerson: 2_000, ofOrganization: 5_000 },
} as const;

/**
 * Each change of a finding is permanent, with its audit entry, so their number is limited per person, and per organization so that many
 * people cannot exceed it. Returns each id once.
 */
export async function countFindingChanges(
  { person, store }: FastifyRequest,
  { storage: { lookups } }: Pick<DashboardServices, 'storage'>,
  kind: keyof typeof limits,
  given: readonly string[],
): Promise<string[]> {
  const ids = [...new Set(given.map(id => id.toLowerCase()))];
  const { ofPerson, ofOrganization } = limits[kind];
  const count = (name: string, most: number, holder: string) =>
    lookups.countChanges(person.id, { name: `${kind} ${name}`, most, seconds }, holder, ids.length);
  await count('of person', ofPerson, person.id);
  await count('in organization', ofOrganization, store.organizationId);
  return ids;
}
