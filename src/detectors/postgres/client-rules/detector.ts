import type { PostgresCapture, PostgresHbaRule } from '../../../captures/postgres.ts';
import type { Severity } from '../../../contract/severity.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { firstRules, placeOf, ruleText } from '../access/hba.ts';
import { type JudgedRule, ofService, ruleObserver } from '../exposure.ts';
import { coversAllAddresses, effectiveRules, isLocal } from '../hba-address.ts';
import { providerOf } from '../provider.ts';
import { hbaRulesOf, observeEach, rowsOf } from '../reading.ts';
import { clientRulesChecks as checks } from './checks.ts';
import { widthOf } from './network.ts';

const ofRules = [checks.wideNetwork, checks.everyone, checks.replication, checks.external];

/** How precise the rules of pg_hba.conf are, and the maps of pg_ident.conf. */
export const postgresClientRulesDetector: Detector<PostgresCapture> = {
  name: 'postgres.client-rules',
  surface: 'postgres',
  readsDetailsOnly: true,
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    const all = hbaRulesOf(found, ofRules, capture);
    const read = firstRules(all);
    if (all.length > read.length)
      found.cannotAssess(ofRules, 'pg_hba.conf has more rules than are compared.');
    const observe = ruleObserver(found, capture);
    const effective = effectiveRules(read.filter(({ broken }) => !broken)).filter(
      rule => rule.method !== 'reject',
    );
    const remote = effective.filter(rule => !isLocal(rule));
    observe(checks.wideNetwork, remote.flatMap(widening));
    observe(
      checks.everyone,
      remote
        .filter(({ databases, users }) => databases.includes('all') && users.includes('all'))
        .map(rule => placed(rule, 'is for every role and every database')),
    );
    observe(
      checks.replication,
      remote
        .filter(({ databases, users }) => databases.includes('replication') && users.includes('all'))
        .map(rule => placed(rule, 'lets every role with REPLICATION copy the cluster')),
    );
    // For a client on the server’s own machine, the password still crosses the network.
    observe(checks.external, effective.flatMap(trustingOthers), 'medium');
    detectInvalid(found, capture);
    detectMaps(found, capture, effective);
  }),
};

const placed = (rule: PostgresHbaRule, what: string, severity?: Severity): JudgedRule => [
  rule,
  {
    locator: placeOf(rule),
    seen: `${ruleText(rule)} ${what}.`,
    ...(severity === undefined ? {} : { severity }),
  },
];

function widening(rule: PostgresHbaRule): readonly JudgedRule[] {
  const width = coversAllAddresses(rule) ? null : widthOf(rule);
  if (width === null) return [];
  if (width === 'domain') return [placed(rule, 'allows every host with a name in a domain')];
  return width === 'half'
    ? [placed(rule, 'allows a large part of the internet', 'high')]
    : [placed(rule, 'allows more than 65,000 public addresses')];
}

function trustingOthers(rule: PostgresHbaRule): readonly JudgedRule[] {
  const { method, ldap_tls, any_realm } = rule;
  if (method === 'ldap' && !ldap_tls) return [placed(rule, 'sends passwords to an LDAP server without TLS')];
  if (method === 'radius') return [placed(rule, 'sends passwords to a RADIUS server', 'low')];
  return (method === 'gss' || method === 'sspi') && any_realm
    ? [placed(rule, 'accepts users of every Kerberos realm')]
    : [];
}

function detectInvalid(found: DetectionBuilder, capture: PostgresCapture): void {
  const check = checks.lineInvalid;
  const { ident_mappings } = capture;
  const files = [
    // Without a type, a line could not be read. With one, it only names more users than are read.
    [
      'pg_hba.conf',
      rowsOf(found, [check], capture.hba_rules).filter(({ broken, type }) => broken && type === ''),
    ],
    [
      'pg_ident.conf',
      ident_mappings.assessed ? ident_mappings.value.rows.filter(({ broken }) => broken) : [],
    ],
  ] as const;
  const provider = providerOf(capture)?.name;
  for (const [file, lines] of files) {
    if (lines.length === 0) continue;
    const place = {
      locator: file,
      seen: `${file} has ${lines.length} invalid ${lines.length === 1 ? 'line' : 'lines'}.`,
    };
    observeEach(found, check, [provider === undefined ? place : ofService(place, provider)]);
  }
  if (!ident_mappings.assessed && usesMaps(capture))
    found.cannotAssess(
      [check],
      `Whether pg_ident.conf has invalid lines is unknown. ${ident_mappings.reason}`,
    );
}

const usesMaps = ({ hba_rules }: PostgresCapture) =>
  !hba_rules.assessed || hba_rules.value.rows.some(({ map }) => map !== null);

function detectMaps(
  found: DetectionBuilder,
  capture: PostgresCapture,
  rules: readonly PostgresHbaRule[],
): void {
  const check = checks.identMap;
  hbaRulesOf(found, [check], capture);
  // The maps matter only to rules that use them.
  if (!usesMaps(capture)) return;
  const used = new Set(rules.flatMap(({ map }) => (map === null ? [] : [map])));
  observeEach(
    found,
    check,
    rowsOf(found, [check], capture.ident_mappings)
      .filter(({ map, any_system_user, own_role }) => used.has(map) && any_system_user && !own_role)
      .map(({ map, role }) => ({
        locator: `map ${map} to ${role}`,
        seen: `The map ${quoted(map, 80)} lets every system user connect as ${quoted(role, 80)}.`,
      })),
  );
}
