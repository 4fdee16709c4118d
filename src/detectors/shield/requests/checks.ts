import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

export const requestChecks = {
  sustained: {
    id: 'shield.attack_sustained',
    title: 'The website is under sustained attack',
    severity: 'medium',
    why: 'Someone has tried the same kind of attack for hours, and may find what the rules do not recognize.',
    fix: {
      advice:
        'Check the paths and networks under Shield. Block networks that send nothing else, at the firewall or with CrowdSec. Check that the attacked software is up to date, and search its logs for requests from the same networks that were not blocked. The finding ends when no class of attack exceeds 100 requests in each of the last three full hours.',
    },
    references: ['https://owasp.org/www-project-automated-threats-to-web-applications/'],
    safeguards: [
      lowers(
        safeguards.riskManagement,
        'An attack that goes on for hours is a risk to the data behind the website that needs a decision.',
      ),
    ],
  },
  blocksUsers: {
    id: 'shield.rule_blocks_users',
    title: 'A rule seems to block real users',
    severity: 'medium',
    why: 'People who are signed in may be unable to use a page, and pressure to turn the firewall off grows.',
    fix: {
      advice:
        'Repeat what users do on the path, and check what the rule matched in the audit log. If the requests are harmless, exclude the rule, or the one parameter, for this path only, such as with `SecRuleUpdateTargetById` or `ctl:ruleRemoveTargetById`. Do not remove the rule for the whole website.',
    },
    references: ['https://coreruleset.org/docs/2-how-crs-works/2-3-false-positives-and-tuning/'],
    safeguards: [],
  },
} satisfies Record<string, Check>;
