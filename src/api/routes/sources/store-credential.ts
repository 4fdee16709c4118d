import type { FastifyRequest } from 'fastify';
import { DocumentedCredential, StoredCredential, SubmitCredential } from '../../../contract/sources.ts';
import { assertTakesCredential } from '../../../domain/source-states.ts';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { submitCredential } from '../../../resources/sources/connect-source.ts';
import { lockSource } from '../../../resources/sources/sources.ts';
import { describe } from '../../describe.ts';
import type { ApiServices } from '../../services.ts';
import { judgeSource } from './judge-source.ts';

export function storeCredentialRoute(app: App, services: ApiServices): void {
  const schema = describe('Store the credential of a source. It is never returned', {
    params: IdParams,
    body: SubmitCredential,
    response: { 200: StoredCredential },
  });
  const { privilegedConnections, credentialProblems } = services;
  const { vault } = services.storage;
  const config = {
    scope: 'sources:write',
    privilegedScope: true,
    documentedBody: DocumentedCredential,
  } as const;
  const permissionsOf = ({ apiKey }: FastifyRequest) => ({
    privilegedScope: apiKey.scopes.includes('sources:privileged'),
    privilegedConnections,
  });
  const onRequest = judgeSource((source, request) => assertTakesCredential(source, permissionsOf(request)));
  app.post('/api/v1/sources/:id/credential', { config, schema, onRequest }, async request => {
    const id = objectId(request.params);
    const { credential } = request.body;
    const permissions = permissionsOf(request);
    return request.store.transaction(async transaction => {
      const source = found(await lockSource(transaction, id));
      return submitCredential(transaction, source, credential, { vault, permissions, credentialProblems });
    });
  });
}
