import type { MysqlCapture } from '../../../captures/mysql.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { byReach, type Reach } from '../../reach.ts';
import { reachOf } from '../exposure.ts';
import { productOf } from '../product.ts';
import { configurationChecks as checks } from './checks.ts';
import { settingRules } from './rules.ts';

type Variables = Readonly<Record<string, string>>;

/** Settings that weaken logs, passwords, encryption or durability, judged one by one. */
export const mysqlConfigurationDetector: Detector<MysqlCapture> = {
  name: 'mysql.configuration',
  surface: 'mysql',
  checks: Object.values(checks),
  detect: detecting((found, capture) => {
    const { variables } = capture;
    if (!variables.assessed) return found.cannotAssess(Object.values(checks), variables.reason);
    const reach = reachOf(capture);
    for (const check of Object.values(checks)) detectCheck(found, check, variables.value, reach);
  }),
};

function detectCheck(
  found: DetectionBuilder,
  check: (typeof checks)[keyof typeof checks],
  variables: Variables,
  reach: Reach,
) {
  const { managedBy } = productOf(variables);
  const ofCheck = settingRules.filter(rule => rule.check === check);
  const rules = managedBy === null ? ofCheck : ofCheck.filter(({ ofService }) => !ofService);
  if (rules.length === 0) return found.doesNotApply([check], `${managedBy} manages these settings.`);
  const present = rules.filter(({ setting }) => variables[setting] !== undefined);
  if (present.length === 0) {
    if (check === checks.passwordPolicy)
      return found.doesNotApply([check], 'No plugin or component that checks passwords is loaded.');
    return found.cannotAssess(
      [check],
      check === checks.loginAttempts
        ? 'No component delays failed sign-ins, and limits of single accounts are not read.'
        : 'The server does not report these settings.',
    );
  }
  for (const { setting, isFlaw, because, severity, unreachable } of present) {
    const value = variables[setting]!;
    if (!isFlaw(value, variables)) continue;
    const flaw = {
      seen: `${setting} is ${quoted(value, 120)}: ${because}.`,
      ...(severity === undefined ? {} : { severity }),
    };
    const judged = unreachable === undefined ? flaw : byReach(check, reach, flaw, unreachable);
    found.observe(check, setting, judged.seen, judged.severity);
  }
}
