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

function outcomeOf({ assessed, not_assessed, outdated, open, accepted }: ControlCheck): string {
  const parts = [
    assessed > 0 && `looked on ${assessed}`,
    open > 0 && `${open} open`,
    accepted > 0 && `${accepted} accepted`,
    not_assessed > 0 && `could not look on ${not_assessed}`,
    outdated > 0 && `outdated on ${outdated}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : 'has not looked anywhere';
}
