import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Applicant, Permits } from '../domain/permits.ts';
import { applicantOf } from './permits.ts';

/**
 * Answers with a file that is read or written while it is sent, and so may be of any length. It holds a permit until it ends, at the
 * latest with its client's connection. HEAD gets the headers alone: Fastify would read the whole file behind that answer, which nobody
 * waits for and nothing limits.
 *
 * @param begin is called once the file may begin, never for HEAD; what it throws is answered like any error
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  permits: Permits,
  headers: Readonly<Record<string, string | number>>,
  begin: (applicant: Applicant) => Promise<Readable>,
): Promise<FastifyReply> {
  // A stream, as for GET: of any other body Fastify would announce the length.
  if (request.method === 'HEAD') return reply.headers(headers).send(Readable.from([]));
  const applicant = applicantOf(request, reply);
  return permits.use(applicant, async () => {
    const file = await begin(applicant);
    void reply.headers(headers).send(file);
    // A client that disconnects ends it. Other errors are logged already.
    await finished(file).catch(() => {});
    return reply;
  });
}
