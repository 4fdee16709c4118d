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

/** A piece of each is in memory. */
const downloads = largeTransfers({ perOrganization: 4 });

/** The content as it was stored, and an entry: what was changed breaks off, so that no browser takes it for whole. */
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
      // What cannot be opened at all is answered like any failure: after the first piece it is too late for that.
      const first = await pieces.next();
      const { name, sha256 } = evidence;
      // Also admits the request again where it waited for its permit: somebody who was removed meanwhile gets nothing.
      await request.store.transaction(transaction =>
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
