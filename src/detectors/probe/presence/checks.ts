import { lowers, safeguards } from '../../../domain/safeguards.ts';
import type { Check } from '../../detector.ts';

export const presenceChecks = {
  silent: {
    id: 'probe.silent',
    title: 'Probe stopped reporting',
    severity: 'medium',
    why: 'Nothing assesses the source until the probe reports again, so new problems go unnoticed.',
    fix: {
      advice:
        'Check on its host that the probe runs (`systemctl status parapet-probe`) and read its log. Run `parapet-probe check` there to test its configuration, its key and the connection to this service; the configuration must list this source. If the host was retired, disconnect the source.',
    },
    references: ['https://csrc.nist.gov/pubs/sp/800/137/final'],
    safeguards: [lowers(safeguards.activityReview, 'While the probe is silent, the source is not reviewed.')],
  },
} satisfies Record<string, Check>;
