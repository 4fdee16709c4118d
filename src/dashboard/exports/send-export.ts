import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Applicant } from '../../domain/permits.ts';
import { attachment } from '../attachment.ts';
import { applicantOf, largeTransfers, turns } from '../permits.ts';

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
  const applicant = applicantOf(request, reply);
  return exports.use(applicant, async () => {
    const file = Readable.from(byTurns(applicant, (await begin())[Symbol.asyncIterator]()), {
      objectMode: false,
    });
    void reply.headers(attachment(name, mediaType)).send(file);
    // A client that disconnects ends it. Other errors are logged already.
    await finished(file).catch(() => {});
    return reply;
  });
}

/** Has a turn for each piece, and none while the client reads it. */
async function* byTurns(applicant: Applicant, pieces: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (;;) {
      const { done, value } = await pieceTurns.use(applicant, () => pieces.next());
      if (done) return;
      yield value;
      await nextTurn();
    }
  } finally {
    await pieces.return?.();
  }
}
