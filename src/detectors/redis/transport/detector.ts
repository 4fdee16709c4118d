import type { RedisCapture } from '../../../captures/redis.ts';
import { weakestOf } from '../../ciphers.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { byReach } from '../../reach.ts';
import { reachOf } from '../exposure.ts';
import { transportChecks as checks } from './checks.ts';

type Settings = Readonly<Record<string, string>>;

/** The encryption of connections to the server, to its primary and between nodes. */
export const redisTransportDetector: Detector<RedisCapture> = {
  name: 'redis.transport',
  surface: 'redis',
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    const { settings, connection } = capture;
    if (settings.assessed) {
      detectPlaintext(found, capture, settings.value);
      detectTls(found, capture, settings.value);
      detectReplication(found, capture, settings.value);
      detectCluster(found, capture, settings.value);
      return;
    }
    const { plaintextAllowed, ...others } = checks;
    found.cannotAssess(Object.values(others), settings.reason);
    if (connection.tls || connection.over === 'loopback')
      return found.cannotAssess([plaintextAllowed], settings.reason);
    found.observe(plaintextAllowed, 'port', 'Parapet connected over the network without TLS.');
  }),
};

function detectPlaintext(found: DetectionBuilder, capture: RedisCapture, settings: Settings) {
  const { port, 'tls-port': tlsPort = '0' } = settings;
  if (port === undefined)
    return found.cannotAssess([checks.plaintextAllowed], 'The server does not report its port.');
  if (port === '0') return;
  const reach = reachOf(capture);
  if (reach === undefined)
    return found.cannotAssess(
      [checks.plaintextAllowed],
      'The server does not report the addresses it listens on.',
    );
  const offers =
    tlsPort === '0' ? 'it has no port for TLS' : 'it has a port for TLS, which clients need not use';
  if (reach === 'loopback') {
    found.observe(
      checks.plaintextAllowed,
      'port',
      `port is ${quoted(port)}, and ${offers}; the server listens on loopback only.`,
      'info',
    );
  } else {
    found.observe(
      checks.plaintextAllowed,
      'port',
      `The server listens on addresses of a network. port is ${quoted(port)}, and ${offers}.`,
    );
  }
}

const isOn = (value: string | undefined) => value === 'yes';
const usesTls = ({
  'tls-port': port = '0',
  'tls-replication': replication,
  'tls-cluster': cluster,
}: Settings) => port !== '0' || isOn(replication) || isOn(cluster);

const old = new Map([
  ['TLSV1', 'TLSv1.0'],
  ['TLSV1.0', 'TLSv1.0'],
  ['TLSV1.1', 'TLSv1.1'],
]);

function detectTls(found: DetectionBuilder, capture: RedisCapture, settings: Settings) {
  const observe = (check: Check, locator: string, text: string) => {
    const { seen, severity } = byReach(check, reachOf(capture), { seen: text });
    found.observe(check, locator, seen, severity);
  };
  const ofTls = [checks.oldVersion, checks.weakCiphers, checks.clientCertificates];
  const { 'tls-protocols': protocols, 'tls-ciphers': ciphers, 'tls-auth-clients': clients } = settings;
  if (!usesTls(settings)) return found.cannotPass(ofTls, 'The server does not use TLS.');
  if (protocols === undefined || ciphers === undefined || clients === undefined)
    return found.cannotAssess(ofTls, 'The server does not report its TLS settings.');
  const accepted = protocols
    .toUpperCase()
    .split(/[\s,]/)
    .flatMap(name => old.get(name) ?? []);
  for (const version of new Set(accepted))
    observe(checks.oldVersion, `tls-protocols ${version}`, `tls-protocols is ${quoted(protocols)}.`);
  if (ciphers !== '' && weakestOf(ciphers) === 'weak')
    observe(checks.weakCiphers, 'tls-ciphers', `tls-ciphers is ${quoted(ciphers)}.`);
  if (clients !== 'yes' && settings['tls-port'] !== '0')
    found.observe(checks.clientCertificates, 'tls-auth-clients', `tls-auth-clients is ${quoted(clients)}.`);
}

const isLocal = (host: string) => /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/i.test(host);

function detectReplication(found: DetectionBuilder, { info }: RedisCapture, settings: Settings) {
  const [configured = ''] = (settings.replicaof ?? '').split(' ');
  const primary = configured || (info.assessed ? (info.value.master_host ?? '') : '');
  if (primary === '') {
    const reason = settings.replicaof === undefined ? 'The server does not report replicaof.' : null;
    if (!info.assessed) found.cannotAssess([checks.replicationPlaintext], info.reason);
    else if (reason !== null) found.cannotAssess([checks.replicationPlaintext], reason);
    return;
  }
  const encrypted = settings['tls-replication'];
  if (encrypted === 'yes' || isLocal(primary)) return;
  found.observe(
    checks.replicationPlaintext,
    'tls-replication',
    `The server replicates from ${quoted(primary, 80)} without TLS.`,
  );
}

function detectCluster(found: DetectionBuilder, capture: RedisCapture, settings: Settings) {
  const enabled = settings['cluster-enabled'];
  if (enabled === undefined)
    return found.cannotAssess([checks.clusterPlaintext], 'The server does not report cluster-enabled.');
  if (!isOn(enabled) || isOn(settings['tls-cluster'])) return;
  const reach = reachOf(capture);
  if (reach === undefined)
    return found.cannotAssess(
      [checks.clusterPlaintext],
      'The server does not report the addresses it listens on.',
    );
  if (reach !== 'network') return;
  found.observe(
    checks.clusterPlaintext,
    'tls-cluster',
    `The server is a node of a cluster, and tls-cluster is ${quoted(settings['tls-cluster'] ?? 'not available')}.`,
  );
}
