import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { ControlCheck } from '../../../src/contract/dashboard/controls.ts';
import { QuietButton } from '../../components/quiet-button.tsx';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import classes from './controls.module.css';

/** So many are shown until somebody asks for all. */
const few = 8;

/** Those with something to say first. */
export function ControlChecks({ checks }: { readonly checks: readonly ControlCheck[] }) {
  const [all, setAll] = useState(false);
  const weight = (check: ControlCheck) => check.open * 1e6 + check.not_assessed * 1e3 + check.assessed;
  const sorted = [...checks].sort((one, other) => weight(other) - weight(one));
  return (
    <>
      <ul className={classes.rows}>
        {sorted.slice(0, all ? undefined : few).map(check => (
          <li key={check.id}>
            <Group gap="sm" justify="space-between">
              <Text size="sm" fw={500}>
                {check.title}
              </Text>
              <SeverityBadge severity={check.severity} />
            </Group>
            <Text size="xs" c="dimmed" className="tabular">
              {outcomeOf(check)}
            </Text>
            <Text size="xs" c="dimmed">
              {check.reason}
              {check.effect === 'shows' && ' A pass shows the safeguard working.'}
            </Text>
          </li>
        ))}
      </ul>
      {checks.length > few && (
        <QuietButton onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${checks.length} checks`}
        </QuietButton>
      )}
    </>
  );
}

/** Counts of sources and findings. A pass of a check that only lowers is worded as no more than that. */
function outcomeOf(check: ControlCheck): string {
  const { passed, not_assessed, outdated, open, accepted, false_positives } = check;
  // Observed, and neither open nor decided: what was found is information.
  const noted = open + accepted + false_positives === 0 ? check.assessed - passed : 0;
  const parts = [
    passed > 0 && `${check.effect === 'shows' ? 'Passed' : 'No problem found'} on ${sources(passed)}`,
    open > 0 && `${open} open`,
    accepted > 0 && `${accepted} accepted`,
    false_positives > 0 && `${false_positives} false positive${false_positives === 1 ? '' : 's'}`,
    not_assessed > 0 && `Not assessed on ${sources(not_assessed)}`,
    outdated > 0 && `Outdated on ${sources(outdated)}`,
    check.not_applicable > 0 && `Does not apply to ${sources(check.not_applicable)}`,
    noted > 0 && `Information on ${sources(noted)}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : 'Not assessed on any source';
}

const sources = (count: number) => `${count} ${count === 1 ? 'source' : 'sources'}`;
