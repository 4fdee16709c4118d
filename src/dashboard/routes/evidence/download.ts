import { Readable } from 'node:stream';
import { found, IdParams, objectId } from '../../../http/answers.ts';
import type { App } from '../../../http/app.ts';
import { openContent } from '../../../resources/evidence/content.ts';
import { findEvidence } from '../../../resources/evidence/evidence.ts';
import { attachment } from '../../attachment.ts';
import { organizationPath } from '../../organization-path.ts';
import { largeTransfers } from '../../permits.ts';
import { sendFile } from '../../send-file.ts';
import type { DashboardServices } from '../../services.ts';

/** Each download keeps one piece in memory. */
const downloads = largeTransfers({ perOrganization: 4 });

/**
 * Downloads evidence as stored, and adds an audit entry. If the content was altered, the stream fails, so browsers do not
 * treat it as complete.
 */
export function downloadEvidenceRoute(app: App, { storage }: DashboardServices): void {
  const config = { access: 'member', stepUp: true } as const;
  const schema = { params: IdParams };
  const url = `${organizationPath}/evidence/:id/content`;
  app.get(url, { config, schema }, async (request, reply) => {
    const id = objectId(request.params);
    const evidence = found(await request.store.read(session => findEvidence(session, id)));
    const headers = {
      ...attachment(evidence.name, evidence.media_type),
      'content-length': evidence.bytes,
      'repr-digest': `sha-256=:${Buffer.from(evidence.sha256, 'hex').toString('base64')}:`,
    };
    return sendFile(request, reply, downloads, headers, async () => {
      const pieces = found(await openContent(request.store, storage.keyRing, id));
      // Read errors can be answered only before the first piece is sent.
      const first = await pieces.next();
      const { name, sha256 } = evidence;
      // Also checks access again after the wait for a permit: a member who was removed meanwhile receives nothing.
      await request.store.transaction(async transaction =>
        transaction.audit({
          action: 'evidence.downloaded',
          objectKind: 'evidence',
          objectId: id,
          detail: { name, sha256 },
        }),
      );
      return Readable.from(withFirst(first, pieces), { objectMode: false });
    });
  });
}

async function* withFirst(
  first: IteratorResult<Buffer, unknown>,
  rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  if (!first.done) yield first.value;
  yield* rest;
}
