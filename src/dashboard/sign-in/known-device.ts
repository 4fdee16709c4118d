import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findKnownDevice, rememberDevice } from '../../resources/people/known-devices.ts';
import { deviceTokens, setDeviceCookie } from '../cookies.ts';
import type { DashboardServices } from '../services.ts';

/** The person's token of a browser in which they have completed a sign-in before; undefined in any other. */
export async function knownDevice(
  request: FastifyRequest,
  services: DashboardServices,
  personId: string,
): Promise<string | undefined> {
  return findKnownDevice(request.people, personId, deviceTokens(request, services));
}

/**
 * The person has completed a sign-in in this browser, which from now on has guesses of its own: those of others do not make
 * it wait (OWASP, Slow Down Online Guessing Attacks with Device Cookies). The cookie opens nothing. Its token is a new one each
 * time, so that a copy of the one before is worth nothing.
 */
export async function knowDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
  personId: string,
): Promise<void> {
  const before = await knownDevice(request, services, personId);
  const token = randomBytes(32).toString('base64url');
  await rememberDevice(request.people, personId, token, before);
  const others = deviceTokens(request, services).filter(other => other !== before);
  setDeviceCookie(reply, services, [token, ...others]);
}
