import type { AttackClass, RequestGroup, RuleSeverity } from '../../src/contract/shield-events.ts';
import { operator } from '../../src/main/operator.ts';
import { mintApiKey } from '../../src/resources/keys/mint-api-key.ts';
import type { DashboardClient } from '../../test/support/dashboard-client.ts';
import { poll } from '../../test/support/poll.ts';
import {
  crowdsecHeartbeat,
  group,
  heartbeat,
  requests,
  shieldEvent,
  shieldPath,
} from '../../test/support/shield-events.ts';
import { call } from '../../test/support/signing-client.ts';
import type { SampleService } from './sample-service.ts';

interface Place {
  readonly api: (path: string) => string;
  readonly client: DashboardClient;
  readonly organizationId: string;
  readonly systemId: string;
  readonly sourceId: string;
  readonly host: string;
}

type Attack = readonly [AttackClass, string, string, RuleSeverity, string, number];

/** Attack, rule, its message and severity, path, and how many in a usual six hours. */
const attacks: readonly Attack[] = [
  ['scanner', '913100', 'Found User-Agent associated with security scanner', 'critical', '/', 34],
  [
    'sqli',
    '942100',
    'SQL Injection Attack Detected via libinjection',
    'critical',
    '/appointments/search',
    21,
  ],
  ['lfi', '930120', 'OS File Access Attempt', 'critical', '/documents/:data', 14],
  ['xss', '941100', 'XSS Attack Detected via libinjection', 'critical', '/contact', 9],
  ['php', '933150', 'PHP Injection Attack: High-Risk PHP Function Name Found', 'critical', '/index.php', 6],
  ['protocol', '920350', 'Host header is a numeric IP address', 'warning', '/', 17],
];
const networks = ['198.51.100.0/24', '203.0.113.0/24', '192.0.2.0/24', '2001:db8:40::/48'];
const quarter = 6 * 3_600_000;

/** Turns Shield on for a website, and reports a week of its firewall, and of CrowdSec beside it. */
export async function reportByShield(service: SampleService, place: Place): Promise<void> {
  const { api, client, organizationId, systemId, sourceId, host } = place;
  const on = await client.request('PUT', api(`/sources/${sourceId}/shield`), {});
  if (on.status !== 200) throw new Error(`Shield: ${on.status} ${on.text}`);
  const key = await service.storage.tenant(organizationId, operator).transaction(async transaction => {
    // The newest scan is to be one of a website.
    await transaction.query({ text: `update shields set assess_at = now() + interval '1 day'` });
    const name = 'Firewall of the portal';
    return mintApiKey(transaction, { name, kind: 'probe', systemId, scopes: ['ingest'] });
  });
  const events = [
    ...Array.from({ length: 28 }, (_, index) => requestsOf(host, index)),
    heartbeat({ hosts: [{ host, last_seen_at: new Date().toISOString() }] }),
    crowdsecHeartbeat(),
    ...crowdsecEvents(),
  ];
  const { status, text } = await call(service.url, key, 'POST', shieldPath, { events });
  if (status !== 202) throw new Error(`Shield: ${status} ${text}`);
  await poll('the reports of the firewall', async () => {
    const { shield } = (await client.get(api(`/sources/${sourceId}/shield?days=7`))).json;
    return (shield.state === 'on' && shield.alerts.length > 0) || undefined;
  });
}

/** Of six hours: more by day, and an attack two days ago. */
function requestsOf(host: string, ago: number) {
  const from = new Date(Date.now() - ago * quarter - 60_000).toISOString();
  const rate = (1 + Math.sin(ago * 1.6) * 0.4) * (ago === 8 ? 6 : 1);
  const groups = attacks.map(([attack, id, message, severity, path, usual], index): Partial<RequestGroup> => {
    const action = attack === 'protocol' ? 'detected' : 'blocked';
    return {
      ...{ host, action, attack, rule: { id, message, severity }, path },
      network: networks[(index + ago) % networks.length]!,
      status: action === 'blocked' ? 403 : 200,
      count: Math.ceil(usual * rate),
    };
  });
  return requests(groups.map(group), { from });
}

function crowdsecEvents() {
  const scenarios = [
    'http-probing',
    'http-bad-user-agent',
    'http-sensitive-files',
    'http-path-traversal-probing',
  ];
  const about = (index: number) => ({
    ...{ scope: 'ip', network: networks[index % networks.length]! },
    scenario: `crowdsecurity/${scenarios[index % scenarios.length]}`,
  });
  const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const alerts = [1, 3, 7, 18, 40, 41].map((hours, index) => ({
    ...about(index),
    ...{ alert: 6 - index, events: 11 + index * 7, simulated: false },
    ...{ created_at: at(hours), start_at: at(hours), stop_at: at(hours) },
  }));
  const decisions = [0, 1].map(index => ({
    ...about(index),
    ...{ decision: index + 1, type: 'ban', remaining_seconds: 9_000 + index * 4_000, origin: 'crowdsec' },
  }));
  const active = { crowdsec: 2, cscli: 0, capi: 14_812, lists: 0, other: 0 };
  return [
    shieldEvent('shield.alerts', { alerts, more: 0 }),
    shieldEvent('shield.decisions', { decisions, active, current: [2, 1] }),
  ];
}
