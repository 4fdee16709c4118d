import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { laterPart } from '../../later/later.ts';
import classes from './findings.module.css';
import { type TriageAction, triageLabels } from './triage-labels.ts';

const TriageDialog = laterPart(() => import('./triage-dialog.tsx'));

/** The service's limit for one request. */
const limit = 500;

/** Triages the selected findings together. */
export function BulkBar({ ids, onClear }: { readonly ids: readonly string[]; readonly onClear: () => void }) {
  const [action, setAction] = useState<TriageAction>();
  if (ids.length === 0) return null;
  return (
    <section className={classes.bulk} aria-label="Selected findings">
      <Group gap="xs">
        <Text fw={600} className="tabular" aria-live="polite">
          {ids.length} selected
        </Text>
        {ids.length > limit ? (
          <Text size="sm">Select up to {limit} findings to triage them together.</Text>
        ) : (
          (Object.keys(triageLabels) as TriageAction[]).map(each => (
            <Button key={each} size="xs" variant="default" onClick={() => setAction(each)}>
              {triageLabels[each].button}
            </Button>
          ))
        )}
        <Button size="xs" variant="subtle" onClick={onClear}>
          Clear selection
        </Button>
      </Group>
      {action && (
        <TriageDialog ids={ids} action={action} onClose={() => setAction(undefined)} onDone={onClear} />
      )}
    </section>
  );
}
