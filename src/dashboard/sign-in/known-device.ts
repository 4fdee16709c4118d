import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findKnownDevice, rememberDevice } from '../../resources/people/known-devices.ts';
import { deviceTokens, setDeviceCookie } from '../cookies.ts';
import type { DashboardServices } from '../services.ts';

/** Device token of a browser in which the person has completed a sign-in; undefined in other browsers. */
export async function knownDevice(
  request: FastifyRequest,
  services: DashboardServices,
  personId: string,
): Promise<string | undefined> {
  return findKnownDevice(request.people, personId, deviceTokens(request, services));
}

/**
 * Marks this browser as known after a completed sign-in. A known browser has separate guess limits, so guesses from elsewhere
 * do not delay it (OWASP, Slow Down Online Guessing Attacks with Device Cookies). The cookie grants no access. Its token is
 * replaced each time, which invalidates copies of the previous one.
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
