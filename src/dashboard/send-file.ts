import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Applicant, Permits } from '../domain/permits.ts';
import { applicantOf } from './permits.ts';

/**
 * Sends a file that is read or written while it is sent, so it can have any length. Keeps a permit until the file ends or the
 * client disconnects. HEAD sends headers only: Fastify would otherwise read the whole file in the background, without any
 * limit.
 *
 * @param begin called when the file may start, never for HEAD; its errors are answered as usual
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  permits: Permits,
  headers: Readonly<Record<string, string | number>>,
  begin: (applicant: Applicant) => Promise<Readable>,
): Promise<FastifyReply> {
  // A stream, as for GET: for other bodies Fastify would add a content length.
  if (request.method === 'HEAD') return reply.headers(headers).send(Readable.from([]));
  const applicant = applicantOf(request, reply);
  return permits.use(applicant, async () => {
    const file = await begin(applicant);
    void reply.headers(headers).send(file);
    // A client that disconnects destroys the stream. Other errors are already logged.
    await finished(file).catch(() => {});
    return reply;
  });
}
