import type { Scan } from '../../../src/contract/scans.ts';

export const profileLabels: Record<Scan['profile'], string> = {
  safe_all_surfaces: 'Safe scan',
  verify_finding: 'Verification scan',
  full_active: 'Full scan',
};
