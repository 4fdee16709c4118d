import type { MysqlCapture } from '../../../captures/mysql.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { byReach, type Reach } from '../../reach.ts';
import { isLocal, isProviders, quotedName, usableAccounts } from '../account.ts';
import { listensTo, reachOf } from '../exposure.ts';
import { productOf } from '../product.ts';
import { transportChecks as checks } from './checks.ts';

type Variables = Readonly<Record<string, string>>;

/** The encryption of connections to the server. */
export const mysqlTransportDetector: Detector<MysqlCapture> = {
  name: 'mysql.transport',
  surface: 'mysql',
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    const { variables, plaintext_users } = capture;
    if (variables.assessed) {
      detectPlaintext(found, variables.value, capture);
      detectVersions(found, variables.value, reachOf(capture));
    } else {
      found.cannotAssess([checks.plaintextAllowed, checks.oldVersion], variables.reason);
    }
    if (plaintext_users.assessed) {
      const product = productOf(variables.assessed ? variables.value : {});
      const { users, truncated } = plaintext_users.value;
      if (truncated)
        found.cannotAssess([checks.plaintextSession], `Only the first ${users.length} users were read.`);
      for (const user of users.filter(user => !isProviders(user, product))) {
        found.observe(
          checks.plaintextSession,
          quotedName(user),
          `The account ${quotedName(user)} is connected over TCP from another machine without TLS.`,
        );
      }
    } else {
      found.cannotAssess([checks.plaintextSession], plaintext_users.reason);
    }
  }),
};

const offersNone = ({ have_ssl }: Variables) => have_ssl === 'DISABLED' || have_ssl === 'NO';
const noTls = 'The server offers no TLS, so what it would require is unknown.';

function detectPlaintext(found: DetectionBuilder, variables: Variables, { accounts, over }: MysqlCapture) {
  const required = variables.require_secure_transport;
  if (required === 'ON') return;
  const listens = listensTo(variables, over);
  if (listens === 'none') {
    if (offersNone(variables)) found.cannotPass([checks.plaintextAllowed], noTls);
    return;
  }
  const product = productOf(variables);
  if (product.managedBy === 'Google Cloud SQL')
    return found.cannotAssess(
      [checks.plaintextAllowed],
      'Google Cloud SQL can require TLS through the instance’s SSL mode, which the server does not report.',
    );
  if (listens === undefined)
    return found.cannotAssess(
      [checks.plaintextAllowed],
      'The server does not report the addresses it listens on.',
    );
  // If every remote account requires TLS, the server's setting does not matter.
  if (accounts.assessed && !accounts.value.truncated) {
    const remote = usableAccounts(accounts.value.accounts, product).filter(account => !isLocal(account));
    if (remote.every(({ requires_tls }) => requires_tls)) {
      if (remote.length === 0 && offersNone(variables)) found.cannotPass([checks.plaintextAllowed], noTls);
      return;
    }
  } else if (required === undefined) {
    const reason = accounts.assessed ? 'There are too many accounts to check each one.' : accounts.reason;
    return found.cannotAssess(
      [checks.plaintextAllowed],
      `The server has no require_secure_transport, so each account matters. ${reason}`,
    );
  }
  const setting =
    required === undefined ? 'It has no require_secure_transport' : 'require_secure_transport is OFF';
  const accountsSay =
    accounts.assessed && !accounts.value.truncated
      ? 'not every account requires TLS'
      : 'whether every account requires TLS is unknown';
  const offers = offersNone(variables) ? 'it offers no TLS at all' : accountsSay;
  const place = 'require_secure_transport';
  if (listens === 'loopback') {
    found.observe(checks.plaintextAllowed, place, `${setting}; the server listens on loopback only.`, 'info');
  } else {
    found.observe(
      checks.plaintextAllowed,
      place,
      `The server is reachable over the network. ${setting}, and ${offers}.`,
    );
  }
}

function detectVersions(found: DetectionBuilder, variables: Variables, reach: Reach) {
  const text = variables.tls_version;
  if (text === undefined)
    return found.cannotAssess(
      [checks.oldVersion],
      'The server does not report which TLS versions it accepts: it has no tls_version.',
    );
  if (offersNone(variables)) return found.cannotPass([checks.oldVersion], noTls);
  const old = text
    .split(',')
    .map(version => version.trim())
    .filter(version => /^TLSv1(?:\.[01])?$/i.test(version))
    .map(version => (version.endsWith('.1') ? 'TLSv1.1' : 'TLSv1.0'));
  for (const name of new Set(old)) {
    const flaw = { seen: `tls_version is ${quoted(text)}.` };
    const { seen, severity } = byReach(checks.oldVersion, reach, flaw);
    found.observe(checks.oldVersion, `tls_version ${name}`, seen, severity);
  }
}
