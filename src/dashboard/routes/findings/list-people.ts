import { FindingPeople } from '../../../contract/dashboard/finding-work.ts';
import { closed } from '../../../contract/values.ts';
import type { App } from '../../../http/app.ts';
import { listFindingPeople } from '../../../resources/findings/comments.ts';
import { organizationPath } from '../../organization-path.ts';

/** The people who can own findings and be mentioned. */
export function listFindingPeopleRoute(app: App): void {
  const schema = { querystring: closed({}), response: { 200: FindingPeople } };
  const config = { access: 'member' } as const;
  app.get(`${organizationPath}/findings/people`, { config, schema }, async request => ({
    people: await request.store.read(listFindingPeople),
  }));
}
