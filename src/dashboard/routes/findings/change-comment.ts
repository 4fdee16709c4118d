import { ChangeComment, CommentEnvelope } from '../../../contract/dashboard/finding-work.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { changeComment } from '../../../resources/findings/comments.ts';
import { organizationPath } from '../../organization-path.ts';

/** Changes a comment of the person. */
export function changeCommentRoute(app: App): void {
  const schema = { params: IdParams, body: ChangeComment, response: { 200: CommentEnvelope } };
  const config = {
    access: 'member',
    stepUp: { notNeeded: 'Only comments of the person, which then show that they were edited.' },
  } as const;
  app.put(`${organizationPath}/finding-comments/:id`, { config, schema }, async request => {
    const id = objectId(request.params);
    const comment = await request.store.transaction(transaction =>
      changeComment(transaction, request.person.id, id, request.body.body),
    );
    return { comment: found(comment) };
  });
}
