import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Applicant, Permits } from '../domain/permits.ts';
import { Refusal } from '../domain/refusal.ts';

const waiting = { waitingPerHolder: 2, longestWaitMs: 20_000 };

interface Shares {
  /** Per node. A slow client keeps a permit for minutes, so without a limit per organization a few could block all others. */
  readonly atOnce?: number;
  readonly perOrganization: number;
}

/** Permits for long downloads, uploads and verifications. */
export function largeTransfers({ atOnce = Number.POSITIVE_INFINITY, perOrganization }: Shares): Permits {
  return new Permits({ atOnce, perHolder: perOrganization, ...waiting, refusal: tooMany });
}

/**
 * Permits for the work of such transfers, which clients cannot prolong: all queued work runs eventually. Work that holds a
 * permit must not wait for anything that one organization can delay, unless permits are limited per organization only.
 */
export function turns({ atOnce, perOrganization }: Required<Shares>): Permits {
  return new Permits({
    atOnce,
    perHolder: perOrganization,
    waitingPerHolder: Number.POSITIVE_INFINITY,
    longestWaitMs: 300_000,
    refusal: tooMany,
  });
}

function tooMany(): Refusal {
  return new Refusal('too_many_downloads', { retry_after_seconds: 10 });
}

const gone = new WeakMap<object, AbortSignal>();

/** The organization of the path as the permit holder, until the client disconnects. */
export function applicantOf({ organizationId: holder }: FastifyRequest, reply: FastifyReply): Applicant {
  const { raw } = reply;
  const known = gone.get(raw);
  if (known) return { holder, signal: known };
  const controller = new AbortController();
  gone.set(raw, controller.signal);
  const end = () => controller.abort(tooMany());
  if (raw.destroyed) end();
  else raw.once('close', end);
  return { holder, signal: controller.signal };
}
