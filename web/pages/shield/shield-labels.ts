import type { AttackClass, FirewallEngine } from '../../../src/contract/shield-events.ts';

/** Engines with the name that precedes their version. */
const engines: Record<FirewallEngine, string> = {
  modsecurity3: 'ModSecurity',
  modsecurity2: 'ModSecurity',
  coraza: 'Coraza',
  crowdsec: 'CrowdSec',
};

/** `ModSecurity 3.0.9`; `ModSecurity 3` if the version is not known. */
export function engineText(engine: FirewallEngine, version: string | null): string {
  const major = { modsecurity3: '3', modsecurity2: '2', coraza: '', crowdsec: '' }[engine];
  return `${engines[engine]} ${version ?? major}`.trim();
}

/** `OWASP CRS 3.3.4`. */
export const ruleSetText = (name: string | null, version: string | null): string =>
  name === null ? '–' : `${name.replaceAll('_', ' ')} ${version ?? ''}`.trim();

export const attackLabels: Record<AttackClass, string> = {
  sqli: 'SQL injection',
  xss: 'Cross-site scripting',
  lfi: 'Local file inclusion',
  rfi: 'Remote file inclusion',
  rce: 'Remote code execution',
  php: 'PHP injection',
  java: 'Java attack',
  nodejs: 'Node.js injection',
  injection: 'Injection',
  fixation: 'Session fixation',
  protocol: 'Protocol violation',
  multipart: 'Malformed multipart body',
  method: 'Method not allowed',
  scanner: 'Scanner',
  reputation: 'Bad reputation',
  dos: 'Denial of service',
  disclosure: 'Data disclosure',
  generic: 'Generic attack',
  other: 'Other',
};

/** CrowdSec's address is truncated to its network, unless whole addresses are sent. */
export function networkText({
  scope,
  network,
}: {
  readonly scope: string;
  readonly network: string | null;
}): string {
  if (network === null) return scope;
  return scope === 'ip' && network.includes('/') ? `An address in ${network}` : network;
}
