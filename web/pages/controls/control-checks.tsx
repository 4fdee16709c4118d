import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { ControlCheck } from '../../../src/contract/dashboard/controls.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { QuietButton } from '../../components/quiet-button.tsx';
import { SeverityBadge } from '../../components/severity-badge.tsx';
import { byRelevance, checkSummary } from './check-summary.ts';
import classes from './controls.module.css';

/** How many checks are shown at first. */
const few = 8;

/** The checks that map to a control. */
export function ControlChecks({ checks }: { readonly checks: readonly ControlCheck[] }) {
  const [all, setAll] = useState(false);
  const sorted = [...checks].sort(byRelevance);
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
            <Dimmed size="xs" className="tabular">
              {checkSummary(check)}
            </Dimmed>
            <Dimmed size="xs">
              {check.reason}
              {check.effect === 'shows' && ' A pass shows the safeguard working.'}
            </Dimmed>
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
