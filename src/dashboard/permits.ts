import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Applicant, Permits } from '../domain/permits.ts';
import { Refusal } from '../domain/refusal.ts';

const waiting = { waitingPerHolder: 2, longestWaitMs: 20_000 };

interface Shares {
  /** On a node. A client that reads or sends slowly holds a permit for minutes: some organizations must not keep all others waiting. */
  readonly atOnce?: number;
  readonly perOrganization: number;
}

/** Permits for long downloads, uploads and verifications. */
export function largeTransfers({ atOnce = Number.POSITIVE_INFINITY, perOrganization }: Shares): Permits {
  return new Permits({ atOnce, perHolder: perOrganization, ...waiting, refusal: tooMany });
}

/**
 * Permits for the work of such transfers, which clients cannot make longer: whatever has begun gets its turn. Nothing may be waited for
 * in a turn that one organization can hold up, unless turns are each organization's own.
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

/** The organization of the path, until the client closes its connection. */
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
