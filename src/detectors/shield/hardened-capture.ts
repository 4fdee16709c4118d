import type { ShieldCapture, ShieldFirewall } from '../../captures/shield.ts';

/** A firewall that reports, blocks, and has current rules; for golden cases. */
export const firewall = (changes: Partial<ShieldFirewall> = {}): ShieldFirewall => ({
  forwarder: 'edge',
  engine: 'modsecurity3',
  interval_seconds: 60,
  silent_seconds: null,
  problem: null,
  mode: 'block',
  rule_set: { name: 'OWASP_CRS', version: '4.28.0' },
  ...changes,
});

/** A website behind that firewall, without attacks; for golden cases. */
export const shieldCapture = (changes: Partial<ShieldCapture> = {}): ShieldCapture => ({
  collected_at: '2026-11-26T12:00:00.000Z',
  on_seconds: 86_400,
  firewalls: [firewall()],
  hours: [],
  blocks: { without_detail: 0, requests: [] },
  ...changes,
});
