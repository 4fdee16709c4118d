import { hash } from 'node:crypto';

/**
 * Identifies a finding across scans: lowercase hex SHA-256 of source, check and canonical locator, joined as JSON to be
 * unambiguous.
 */
export function fingerprint(sourceId: string, check: string, locator: string): string {
  return hash('sha256', JSON.stringify([sourceId, check, locator]));
}
