import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Applicant, Permits } from '../domain/permits.ts';
import { Refusal } from '../domain/refusal.ts';

const waiting = { waitingPerOrganization: 2, longestWaitMs: 20_000 };

/** Permits for long downloads, uploads and verifications: `atOnce` on a node, `perOrganization` of them for one organization. */
export function largeTransfers(shares: { atOnce: number; perOrganization: number }): Permits {
  return new Permits({ ...shares, ...waiting, refusal: tooMany });
}

function tooMany(): Refusal {
  return new Refusal('too_many_downloads', { retry_after_seconds: 10 });
}

/** The organization of the path, until the client closes its connection. */
export function applicantOf({ organizationId }: FastifyRequest, reply: FastifyReply): Applicant {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort(tooMany()));
  return { organizationId, signal: controller.signal };
}
