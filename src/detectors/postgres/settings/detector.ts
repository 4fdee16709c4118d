import type { PostgresCapture } from '../../../captures/postgres.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Check, Detector } from '../../detector.ts';
import { byReach } from '../../reach.ts';
import { listensTo, reachOf } from '../exposure.ts';
import { coversAllAddresses, effectiveRules, isLocal } from '../hba-address.ts';
import { isServiceLogIn, providerOf } from '../provider.ts';
import { hbaRulesOf, observeEach, rowsOf, settingOf, withSettings } from '../reading.ts';
import { settingsChecks as checks } from './checks.ts';

/** Listening addresses, encryption and timeouts. */
export const postgresSettingsDetector: Detector<PostgresCapture> = {
  name: 'postgres.settings',
  surface: 'postgres',
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    detectTls(found, capture);
    detectListening(found, capture);
    withSettings(found, [checks.passwordEncryption], capture, ['password_encryption'], encryption => {
      // `on` meant MD5 before version 14, and is now an alias for SCRAM.
      if (encryption === 'scram-sha-256') return;
      const seen = `password_encryption is ${quoted(encryption, 40)}.`;
      found.observe(checks.passwordEncryption, 'password_encryption', seen);
    });
    detectTimeout(found, capture, checks.statementTimeout, ['statement_timeout', 'transaction_timeout']);
    detectTimeout(found, capture, checks.idleTimeout, [
      'idle_in_transaction_session_timeout',
      'idle_session_timeout',
      'transaction_timeout',
    ]);
    const provider = providerOf(capture);
    const sessions = rowsOf(found, [checks.plaintextSession], capture.plaintext_sessions).filter(
      ({ role }) => !isServiceLogIn(provider, role),
    );
    observeEach(
      found,
      checks.plaintextSession,
      sessions.map(({ role, database }) => ({
        locator: `role ${role} ${database === '' ? 'for replication' : `on database ${database}`}`,
        seen: `The role ${quoted(role, 80)} is connected from another machine without encryption.`,
      })),
    );
  }),
};

function detectTls(found: DetectionBuilder, capture: PostgresCapture): void {
  const { sslOff, tlsMinimum } = checks;
  withSettings(found, [sslOff, tlsMinimum], capture, ['ssl', 'listen_addresses'], (ssl, listen) => {
    if (ssl !== 'on') {
      const provider = providerOf(capture);
      const reason = 'The server offers no TLS of its own.';
      if (provider?.name === 'Neon')
        return found.doesNotApply([sslOff, tlsMinimum], 'Neon’s proxy handles TLS in front of the server.');
      found.doesNotApply([tlsMinimum], reason);
      const reach = listensTo(listen);
      if (reach === 'none') {
        found.doesNotApply([sslOff], 'The server listens only on its Unix socket.');
      } else if (reach === 'network' && admitsFromAfar(capture)) {
        found.observe(sslOff, 'ssl', `ssl is off, and listen_addresses is ${quoted(listen)}.`);
      } else {
        const seen = 'ssl is off, but no client on another machine is allowed.';
        found.observe(sslOff, 'ssl', seen, 'info');
      }
      return;
    }
    withSettings(found, [tlsMinimum], capture, ['ssl_min_protocol_version'], minimum => {
      if (!['', 'TLSv1', 'TLSv1.1'].includes(minimum)) return;
      const text = `ssl_min_protocol_version is ${quoted(minimum)}.`;
      const { seen, severity } = byReach(tlsMinimum, reachOf(capture), { seen: text });
      found.observe(tlsMinimum, 'ssl_min_protocol_version', seen, severity);
    });
  });
}

const addresses = (listen: string) => listen.split(',').map(address => address.trim());

/** Whether a rule may admit a client on another machine. Assumed if the rules are unknown. */
function admitsFromAfar({ hba_rules, hba_changed }: PostgresCapture): boolean {
  if (!hba_rules.assessed || hba_rules.value.truncated) return true;
  if (hba_changed.assessed && hba_changed.value) return true;
  const { rows } = hba_rules.value;
  return (
    rows.some(({ broken }) => broken) ||
    effectiveRules(rows).some(rule => rule.method !== 'reject' && !isLocal(rule))
  );
}

function detectListening(found: DetectionBuilder, capture: PostgresCapture): void {
  const check = checks.listensEverywhere;
  withSettings(found, [check], capture, ['listen_addresses'], listen => {
    if (!addresses(listen).some(address => ['*', '0.0.0.0', '::'].includes(address))) return;
    const provider = providerOf(capture);
    if (provider !== undefined)
      return found.doesNotApply([check], `${provider.name} manages the addresses the server listens on.`);
    // In containers, every server listens on all addresses, so only its rules count.
    const rules = effectiveRules(hbaRulesOf(found, [check], capture));
    if (rules.some(rule => rule.method !== 'reject' && coversAllAddresses(rule))) {
      const seen = `listen_addresses is ${quoted(listen)}, and a rule of pg_hba.conf allows every address.`;
      found.observe(check, 'listen_addresses', seen);
    }
  });
}

/** A timeout counts wherever it is set: for the server, this database, or at least one role. */
function detectTimeout(
  found: DetectionBuilder,
  capture: PostgresCapture,
  check: Check,
  names: readonly string[],
) {
  const isSet = (value: string) => !/^0+(?:\.0+)?\s{0,5}[a-z]{0,5}$/.test(value);
  const values = names.map(name => settingOf(capture, name));
  if (values.some(value => value.assessed && isSet(value.value))) return;
  const { overrides, server } = capture;
  const others = (overrides.assessed ? overrides.value.rows : []).filter(
    ({ role }) => role !== server.reader,
  );
  if (others.some(({ name, value }) => names.includes(name) && isSet(value))) return;
  const [first] = values;
  // Later versions have more of these settings; all versions have the first.
  if (first?.assessed !== true) return found.cannotAssess([check], first?.reason ?? '');
  rowsOf(found, [check], overrides);
  if (overrides.assessed)
    found.observe(check, names[0]!, `${names[0]} is 0 for the server and for every role.`);
}
