import { join } from 'node:path';
import type { FoundCrowdsec, FoundFirewall } from './configuration/find-firewalls.ts';

/**
 * A configuration file for the firewalls that were found; examples in comments where none was.
 *
 * @param root where the file system of the firewall is
 */
export function exampleFor(found: readonly (FoundFirewall | FoundCrowdsec)[], root = '/'): string {
  const logs = found.flatMap(firewall => (firewall.engine === 'crowdsec' ? [] : logOf(firewall, root)));
  const crowdsec = found.find(firewall => firewall.engine === 'crowdsec');
  return `${head}${root === '/' ? '' : rootOf(root)}
# Audit logs of web application firewalls, in JSON.
${logs.length > 0 ? `logs:\n${logs.join('')}` : sampleLogs}
# CrowdSec's local API: alerts with the login of a machine (cscli machines add), decisions with the key of a bouncer
# (cscli bouncers add). Secrets come from the environment, a file or a command.
${crowdsec ? crowdsecOf(crowdsec.api) : sampleCrowdsec}`;
}

const head = `# Configuration of Parapet Shield: reports what a web application firewall blocks and detects.
# Check it with \`parapet shield check --config FILE\`; nothing is sent then.

# Name of this forwarder.
name: edge

service:
  # Address of the service, without /api/v1.
  url: https://parapet.example.com
  # The word in the service's headers and keys, if it has another: its PARAPET_BRAND.
  # brand: service
  # A probe key of the system: the JSON of the dashboard, mode 0600.
  key_file: /etc/parapet/shield-key.json
  # HTTP proxy on the way to the service. Without it, HTTPS_PROXY and NO_PROXY of the environment are used.
  # proxy: http://proxy.internal:3128

# Events wait here until the service has confirmed them.
spool:
  folder: /var/lib/parapet-shield
  max_size: 64 MB
  max_age: 14d

heartbeat: 1m

# What leaves of client addresses: network (/24 or /48), full or none.
clients: network

# Websites that are reported by name. Without the list, any valid Host header is.
# hosts: [shop.example.com]
`;

const rootOf = (root: string) => `
# Where the file system with the configuration of the firewall is.
root: ${quoted(root)}
`;

/** JSON strings are YAML strings. */
const quoted = (text: string) => JSON.stringify(text);

/** The log of a firewall, or the one that it should write. */
function logOf({ engine, auditLog, changes }: FoundFirewall, root: string): string[] {
  const [, advised] = changes.map(({ line }) => /^SecAuditLog (\S+)$/.exec(line)).find(found => found) ?? [];
  const { path = advised, storage = null } = auditLog ?? {};
  if (path === undefined) return [];
  const folder = storage === null ? '' : `    storage: ${quoted(join(root, storage))}\n`;
  return [`  - engine: ${engine}\n    path: ${quoted(join(root, path))}\n${folder}`];
}

const sampleLogs = `# logs:
#   - engine: modsecurity3 # or modsecurity2, coraza
#     path: /var/log/modsec_audit.log
`;

const crowdsecOf = (api: string) => `crowdsec:
  url: ${quoted(api)}
  bouncer_key_file: /etc/parapet/crowdsec-bouncer-key
  # machine: parapet
  # machine_password_file: /etc/parapet/crowdsec-machine-password
`;

const sampleCrowdsec = `# crowdsec:
#   url: http://127.0.0.1:8080
#   bouncer_key_file: /etc/parapet/crowdsec-bouncer-key
`;
