import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { attachment } from '../attachment.ts';
import { applicantOf, largeTransfers } from '../permits.ts';

/** A long list takes a processor's time: a node writes so many files at once. */
const exports = largeTransfers({ atOnce: 4, perOrganization: 2 });

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
  return exports.use(applicantOf(request, reply), async () => {
    const file = Readable.from(givingWay(await begin()), { objectMode: false });
    void reply.headers(attachment(name, mediaType)).send(file);
    // A client that disconnects ends it. Other errors are logged already.
    await finished(file).catch(() => {});
    return reply;
  });
}

/** Lets other requests have a turn after each piece. */
async function* givingWay(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    yield piece;
    await nextTurn();
  }
}
