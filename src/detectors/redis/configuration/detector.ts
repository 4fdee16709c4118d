import type { RedisCapture } from '../../../captures/redis.ts';
import { detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { configurationChecks as checks } from './checks.ts';
import { settingRules } from './rules.ts';

/** Settings that weaken logs, durability or separation, judged one by one. */
export const redisConfigurationDetector: Detector<RedisCapture> = {
  name: 'redis.configuration',
  surface: 'redis',
  checks: Object.values(checks),
  detect: detecting((found, { settings }) => {
    if (!settings.assessed) return found.cannotAssess(Object.values(checks), settings.reason);
    for (const check of Object.values(checks)) {
      const present = settingRules.filter(
        rule => rule.check === check && settings.value[rule.setting] !== undefined,
      );
      if (present.length === 0) found.cannotAssess([check], 'The server does not report these settings.');
      for (const { setting, isFlaw, because } of present) {
        const value = settings.value[setting]!;
        if (isFlaw(value, settings.value))
          found.observe(check, setting, `${setting} is ${quoted(value)}: ${because}.`);
      }
    }
  }),
};
