import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnownDevice, rememberDevice } from '../storage/people/known-devices.ts';
import { deviceToken, setDeviceCookie } from './cookies.ts';
import type { DashboardServices } from './services.ts';

/** The token of a browser in which the person has completed a sign-in before; undefined in any other. */
export async function knownDevice(
  request: FastifyRequest,
  services: DashboardServices,
  personId: string,
): Promise<string | undefined> {
  const token = deviceToken(request, services);
  return (await isKnownDevice(request.people, personId, token)) ? token : undefined;
}

/**
 * The person has completed a sign-in in this browser, which from now on has guesses of its own: those of others do not make
 * it wait (OWASP, Slow Down Online Guessing Attacks with Device Cookies). The cookie opens nothing.
 */
export async function knowDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  services: DashboardServices,
  personId: string,
): Promise<void> {
  const token = deviceToken(request, services) ?? randomBytes(32).toString('base64url');
  await rememberDevice(request.people, personId, token);
  setDeviceCookie(reply, services, token);
}
