import type pg from 'pg';

/** A page of the dashboard. */
export interface DashboardPage {
  readonly name: string;
  /** Below `/dashboard/`. */
  readonly path: string;
  readonly signedIn: boolean;
}

/** Every page of the dashboard, with objects of the organization. */
export async function listPages(owner: pg.Client, organizationId: string): Promise<DashboardPage[]> {
  const { rows } = await owner.query<
    Record<'finding' | 'source' | 'shielded' | 'probe' | 'scan' | 'system', string>
  >(
    `select (select id from findings where status = 'open' limit 1) as finding,
      (select id from sources where kind = 'website' order by created_at limit 1) as source,
      (select source_id from shields limit 1) as shielded,
      (select id from probes limit 1) as probe,
      (select scan_id from scan_runs limit 1) as scan,
      (select system_id from sources limit 1) as system`,
  );
  const ids = rows[0]!;
  const signedOut = ['sign-in', 'set-up', 'invitation', 'password-reset'];
  const pages: Record<string, string> = {
    overview: 'overview',
    findings: 'findings',
    'findings, any status': 'findings?status=any',
    'findings of a category': 'findings?category=tls',
    'findings of a system': `findings?system_id=${ids.system}`,
    'findings of a source': `findings?source_id=${ids.source}`,
    'findings, search': 'findings?search=certificate',
    'findings, rare search': 'findings?search=no-such-finding',
    'findings, search of hosts': 'findings?search=www199',
    'findings, frequent place': 'findings?search=portal',
    'findings, accepted': 'findings?status=accepted',
    'findings, last seen': 'findings?order=last_seen',
    'findings, reopened': 'findings?reopened=yes',
    finding: `findings?finding=${ids.finding}`,
    systems: 'systems',
    'systems, search': 'systems?search=clinic%2049',
    sources: 'sources',
    'sources, search': 'sources?search=www199',
    'new source': 'sources/new',
    source: `sources/${ids.source}`,
    'source with Shield': `sources/${ids.shielded}`,
    probes: 'probes',
    'new probe': 'probes/new',
    probe: `probes/${ids.probe}`,
    scans: 'scans',
    'scans of a source': `scans?source_id=${ids.source}`,
    scan: `scans/${ids.scan}`,
    events: 'events',
    shield: 'shield',
    controls: 'controls',
    control: 'controls?control=164.312(a)(1)',
    evidence: 'evidence',
    audit: 'audit',
    keys: 'settings/keys',
    people: 'settings/people',
    security: 'settings/security',
  };
  return [
    ...signedOut.map(name => ({ name, path: name, signedIn: false })),
    ...Object.entries(pages).map(([name, path]) => ({
      name,
      path: `o/${organizationId}/${path}`,
      signedIn: true,
    })),
  ];
}
