/**
 * What each folder may import besides itself, `contract` and `bytes`. `main` wires the parts together, and may import
 * all.
 */
export const rooms: Record<string, readonly string[]> = {
  contract: [],
  bytes: [],
  domain: [],
  formats: ['domain'],
  messages: ['domain'],
  captures: [],
  surfaces: ['captures'],
  detectors: ['captures', 'domain'],
  scan: ['surfaces', 'detectors', 'captures', 'domain'],
  sandbox: ['scan', 'surfaces', 'domain'],
  locks: [],
  'private-postgres': ['locks'],
  database: ['domain'],
  backup: ['database', 'domain'],
  resources: ['database', 'domain', 'formats'],
  worker: ['messages', 'sandbox', 'scan', 'detectors', 'resources', 'database', 'domain'],
  http: ['database', 'domain'],
  api: ['http', 'resources', 'database', 'domain'],
  dashboard: ['http', 'messages', 'resources', 'database', 'domain', 'formats'],
  cli: ['formats', 'domain'],
  agent: ['cli', 'domain', 'locks'],
  probe: ['agent', 'sandbox', 'scan', 'domain'],
  shield: ['agent', 'domain'],
};
