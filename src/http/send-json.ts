import type { FastifyReply } from 'fastify';

/** Sends JSON that is already serialized. */
export function sendJson(reply: FastifyReply, text: string | Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}
