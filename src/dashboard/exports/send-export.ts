import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Applicant } from '../../domain/permits.ts';
import { attachment } from '../attachment.ts';
import { largeTransfers, turns } from '../permits.ts';
import { sendFile } from '../send-file.ts';

const exports = largeTransfers({ perOrganization: 2 });

/**
 * Writing long lists uses CPU time, so a node writes one piece at a time per organization. Not across organizations: reading
 * a piece can wait for connections of its organization.
 */
const pieceTurns = turns({ atOnce: Number.POSITIVE_INFINITY, perOrganization: 1 });

/**
 * Sends a file that is written while it is sent, so it can have any length.
 *
 * @param name with extension
 * @param begin called when the file may start; returns the content in pieces
 */
export function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, mediaType }: { readonly name: string; readonly mediaType: string },
  begin: () => Promise<AsyncIterable<string>>,
): Promise<FastifyReply> {
  return sendFile(request, reply, exports, attachment(name, mediaType), async applicant =>
    Readable.from(withPermits(applicant, (await begin())[Symbol.asyncIterator]()), { objectMode: false }),
  );
}

/** Uses a permit for each piece, and none while the client reads it. */
async function* withPermits(applicant: Applicant, pieces: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (;;) {
      const { done, value } = await pieceTurns.use(applicant, () => pieces.next());
      if (done) return;
      yield value;
    }
  } finally {
    await pieces.return?.();
  }
}
