import { FindingList, ListFindingsQuery } from '../../../contract/findings.ts';
import type { App } from '../../../http/app.ts';
import { listFindings } from '../../../resources/findings/findings.ts';
import { describe } from '../../describe.ts';

export function listFindingsRoute(app: App): void {
  const schema = describe('List findings', {
    querystring: ListFindingsQuery,
    response: { 200: FindingList },
  });
  app.get('/api/v1/findings', { config: { scope: 'findings:read' }, schema }, async request => {
    const { rows: findings, next_cursor } = await listFindings(request.store, request.query);
    return { findings, next_cursor };
  });
}
