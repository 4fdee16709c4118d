import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { EvidenceEnvelope, UploadFileQuery } from '../../../contract/dashboard/evidence.ts';
import { evidenceLimits } from '../../../contract/dashboard/evidence-limits.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../../http/app.ts';
import { MeteredRequest } from '../../../http/metered-request.ts';
import { readBytes } from '../../../http/read-bytes.ts';
import { storeEvidence } from '../../../resources/evidence/evidence.ts';
import { mediaTypeInThread } from '../../file-kind.ts';
import { organizationPath } from '../../organization-path.ts';
import { applicantOf, largeTransfers, turns } from '../../permits.ts';
import { admitAgain } from '../../plugins/guard.ts';
import type { DashboardServices } from '../../services.ts';

/** Maximum files that a node keeps in memory. Further uploads wait, unread. */
const uploads = largeTransfers({ atOnce: 16, perOrganization: 2 });

/** Maximum files that are checked at once, each in a separate thread. */
const checks = turns({ atOnce: 2, perOrganization: 1 });

export function uploadFileRoute(app: App, services: DashboardServices): void {
  const { storage } = services;
  const config = { access: 'admin', stepUp: true } as const;
  const schema = { querystring: UploadFileQuery, response: { 201: EvidenceEnvelope } };
  const url = `${organizationPath}/evidence/files`;
  void app.register(async scope => {
    // Passed on unread, so that bodies of refused requests are never read.
    scope.addContentTypeParser('application/octet-stream', (_request, body, done) => done(null, body));
    (scope as unknown as App).post(url, { config, schema }, async (request, reply) => {
      const { name } = request.query;
      const announced = Number(request.headers['content-length'] ?? 0);
      if (announced > evidenceLimits.itemBytes) throw new Refusal('payload_too_large');
      const applicant = applicantOf(request, reply);
      const evidence = await uploads.use(applicant, async () => {
        const body = bodyOf(request);
        // Permits already limit the memory of uploads.
        if (body instanceof MeteredRequest) body.leaveUncounted();
        const content = await readBytes(body, evidenceLimits.itemBytes);
        request.fileDigest = createHash('sha256').update(content).digest('hex');
        // The request may have waited for a permit, and the body arrived slowly.
        await admitAgain(request, reply, services);
        const mediaType = await checks.use(applicant, () =>
          mediaTypeInThread(name, content, applicant.signal),
        );
        if (!mediaType) throw new Refusal('file_type_refused');
        return request.store.transaction(transaction =>
          storeEvidence(transaction, storage.keyRing, { kind: 'file', name, mediaType, content }),
        );
      });
      return reply.code(201).send({ evidence });
    });
  });
}

/** Throws if the body is missing or not a file. */
function bodyOf({ body }: Pick<FastifyRequest, 'body'>): Readable {
  if (body instanceof Readable) return body;
  throw new Refusal('invalid_body', {
    fields: [{ path: '', message: 'must be a file, sent as application/octet-stream' }],
  });
}
