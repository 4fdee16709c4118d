import type { FastifyRequest } from 'fastify';
import type { ChangeLimit } from '../../../resources/people/change-counts.ts';
import type { DashboardServices } from '../../services.ts';

const ofPerson: ChangeLimit = { name: 'work on findings of person', most: 10_000, seconds: 3_600 };
const ofOrganization: ChangeLimit = {
  name: 'work on findings in organization',
  most: 20_000,
  seconds: 3_600,
};

/**
 * Each change of a finding is permanent, with its audit entry, so their number is limited per person, and per organization so that many
 * people cannot exceed it. Returns each id once.
 */
export async function countFindingChanges(
  { person, store }: FastifyRequest,
  { storage: { lookups } }: Pick<DashboardServices, 'storage'>,
  given: readonly string[],
): Promise<string[]> {
  const ids = [...new Set(given.map(id => id.toLowerCase()))];
  await lookups.countChanges(person.id, ofPerson, person.id, ids.length);
  await lookups.countChanges(person.id, ofOrganization, store.organizationId, ids.length);
  return ids;
}
