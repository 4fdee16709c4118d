import { RotateApiKey, RotatedApiKey } from '../../../contract/dashboard/keys.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { findApiKey } from '../../../resources/keys/api-keys.ts';
import { rotateApiKey } from '../../../resources/keys/rotate-api-key.ts';
import { organizationPath } from '../../organization-path.ts';

/** Replaces a key, after a step-up. The old one stays valid for the overlap, so that clients can change over. */
export function rotateKeyRoute(app: App): void {
  const schema = { params: IdParams, body: RotateApiKey, response: { 201: RotatedApiKey } };
  const config = { access: 'admin', stepUp: true } as const;
  const url = `${organizationPath}/keys/:id/rotate`;
  app.post(url, { config, schema }, async (request, reply) => {
    const id = objectId(request.params);
    const { overlap } = request.body;
    const rotated = await request.store.transaction(async transaction => {
      const { minted, replaced } = await rotateApiKey(transaction, id, overlap);
      const { token, token_id, signing_key } = minted;
      return { key: found(await findApiKey(transaction, token_id)), token, token_id, signing_key, replaced };
    });
    return reply.code(201).send(rotated);
  });
}
