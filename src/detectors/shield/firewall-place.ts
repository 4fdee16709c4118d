import type { ShieldFirewall } from '../../captures/shield.ts';

/** The locator of a firewall. */
export function placeOf({ engine, forwarder }: Pick<ShieldFirewall, 'engine' | 'forwarder'>): string {
  return `${engine} of forwarder ${forwarder}`;
}

export function durationOf(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
