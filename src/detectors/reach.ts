import ipaddr from 'ipaddr.js';
import { type Severity, severities } from '../contract/severity.ts';
import type { Check } from './detector.ts';

/** Who can reach a database server over TCP: other machines, its own only, or none. Undefined if the server does not show it. */
export type Reach = 'network' | 'loopback' | 'none' | undefined;

/** Where the server listens, as a sentence. */
export const listening = {
  network: 'The server listens on addresses of a network.',
  loopback: 'The server listens on loopback only.',
  none: 'The server listens on a Unix socket only.',
} as const;

/** Whether a server that listens on the address answers only its own machine. Of names, only `localhost` is certain. */
export const isLoopback = (address: string): boolean =>
  address === 'localhost' ||
  (address.length <= 64 && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback');

const isUnreachable = (reach: Reach): reach is 'loopback' | 'none' =>
  reach === 'loopback' || reach === 'none';

/** The sentence and the severity of a problem that needs the network: at most `most` while other machines cannot reach the server. */
export function byReach(
  check: Check,
  reach: Reach,
  { seen, severity }: { readonly seen: string; readonly severity?: Severity },
  most: Severity = 'low',
): { readonly seen: string; readonly severity?: Severity } {
  if (!isUnreachable(reach)) return { seen, ...(severity === undefined ? {} : { severity }) };
  const usual = severity ?? check.severity;
  // The list begins with the most severe.
  const lower = severities.indexOf(usual) < severities.indexOf(most) ? most : usual;
  return { seen: `${seen} ${listening[reach]}`, severity: lower };
}
