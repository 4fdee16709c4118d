import { FindingList, ListFindingsQuery } from '../../../contract/findings.ts';
import type { App } from '../../../http/app.ts';
import { sendJson } from '../../../http/send-json.ts';
import { FindingPages } from '../../../resources/findings/finding-pages.ts';
import { describe } from '../../describe.ts';
import { tagOf } from '../../plugins/unchanged-answers.ts';

export function listFindingsRoute(app: App): void {
  const pages = new FindingPages();
  const schema = describe('List findings', {
    querystring: ListFindingsQuery,
    response: { 200: FindingList },
  });
  const config = { scope: 'findings:read', reads: 'findings' } as const;
  app.get('/api/v1/findings', { config, schema }, async (request, reply) => {
    const { body, content } = await pages.list(request.store, request.query);
    void reply.header('etag', tagOf(content));
    return sendJson(reply, body);
  });
}
