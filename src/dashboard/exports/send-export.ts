import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Applicant } from '../../domain/permits.ts';
import { attachment } from '../attachment.ts';
import { largeTransfers, turns } from '../permits.ts';
import { sendFile } from '../send-file.ts';

const exports = largeTransfers({ perOrganization: 2 });

/**
 * A long list takes a processor's time: of an organization's files, a node writes one piece at a time. Not of all organizations' together:
 * who reads a piece may wait for connections of its own organization.
 */
const pieceTurns = turns({ atOnce: Number.POSITIVE_INFINITY, perOrganization: 1 });

/**
 * Answers with a file that is written while it is sent: it may be of any length.
 *
 * @param name with its extension
 * @param begin is called once the file may be written, and gives it piece by piece
 */
export function sendExport(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, mediaType }: { readonly name: string; readonly mediaType: string },
  begin: () => Promise<AsyncIterable<string>>,
): Promise<FastifyReply> {
  return sendFile(request, reply, exports, attachment(name, mediaType), async applicant =>
    Readable.from(byTurns(applicant, (await begin())[Symbol.asyncIterator]()), { objectMode: false }),
  );
}

/** Has a turn for each piece, and none while the client reads it. */
async function* byTurns(applicant: Applicant, pieces: AsyncIterator<string>): AsyncGenerator<string> {
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
