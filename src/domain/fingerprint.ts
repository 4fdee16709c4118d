import { hash } from 'node:crypto';

/**
 * Identifies a flaw across scans: lower-case hex SHA-256 over source, check and canonical locator. The parts are
 * joined as JSON so that no two different triples can give the same text.
 */
export function fingerprint(sourceId: string, check: string, locator: string): string {
  return hash('sha256', JSON.stringify([sourceId, check, locator]));
}
