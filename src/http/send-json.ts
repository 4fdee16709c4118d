import type { FastifyReply } from 'fastify';

/** Answers with JSON that is written already. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}
