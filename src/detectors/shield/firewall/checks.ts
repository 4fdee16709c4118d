import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

const unwatched = lowers(
  safeguards.activityReview,
  'What the firewall blocks and detects is not reviewed while its records do not arrive.',
);

export const firewallChecks = {
  silent: {
    id: 'shield.silent',
    title: 'Shield stopped reporting',
    severity: 'medium',
    why: 'Operators do not see what the firewall blocks and detects until the forwarder reports again.',
    fix: {
      advice:
        'Check on the firewall’s host that the forwarder runs, and read its log. Run `parapet-probe shield check` there to test its configuration, its key and the connection to this service. If the firewall was replaced, turn Shield off and on again for the source: then it expects reports only from firewalls that have reported since.',
    },
    references: ['https://csrc.nist.gov/pubs/sp/800/92/final'],
    safeguards: [unwatched],
  },
  unreadable: {
    id: 'shield.log_unreadable',
    title: 'The firewall’s log or local API cannot be read',
    severity: 'medium',
    why: 'The forwarder runs but has nothing to read, so attacks on the website go unnoticed.',
    fix: {
      advice:
        'Compare the path in the forwarder’s configuration with `SecAuditLog` of the firewall, and check that the audit log is on and the forwarder’s user may read it. If its records are not understood, set `SecAuditLogFormat JSON`, and update the forwarder if the firewall was updated. For CrowdSec, check that its local API runs and accepts the machine’s login or the bouncer’s key. `parapet-probe shield check` shows what is missing.',
    },
    references: [
      'https://github.com/owasp-modsecurity/ModSecurity/wiki/Reference-Manual-%28v3.x%29#secauditlog',
    ],
    safeguards: [unwatched],
  },
  detectsOnly: {
    id: 'shield.detects_only',
    title: 'The firewall detects attacks but does not block them',
    severity: 'medium',
    why: 'Requests that match rules reach the website as if there were no firewall.',
    fix: {
      advice:
        'Review what was detected, and exclude rules that match requests of real users. Then set `SecRuleEngine On` instead of `DetectionOnly`, and reload the web server. Start with a website whose users can report problems quickly.',
    },
    references: ['https://coreruleset.org/docs/2-how-crs-works/2-2-anomaly_scoring/'],
    safeguards: [
      lowers(
        safeguards.riskManagement,
        'A firewall that does not block leaves the risk that it was installed to reduce.',
      ),
    ],
  },
  outdated: {
    id: 'shield.rule_set_outdated',
    title: 'The rules of the firewall are outdated',
    severity: 'medium',
    why: 'Old rules miss newer attacks and ways around the rules, and get no more security fixes.',
    fix: {
      advice:
        'Install a supported release of the OWASP Core Rule Set: one of the two newest, or the long-term release. From version 3 to 4, rules are renumbered and exclusions need review: run the new release in `DetectionOnly` first. A package of a Linux distribution may have fixes of its own; its security tracker lists them.',
    },
    references: [
      'https://github.com/coreruleset/coreruleset/security/policy',
      'https://coreruleset.org/docs/1-getting-started/1-1-crs-installation/',
    ],
    safeguards: [
      lowers(
        safeguards.riskManagement,
        'Rules without fixes leave known ways around the firewall, a risk that has not been reduced.',
      ),
    ],
  },
} satisfies Record<string, Check>;
