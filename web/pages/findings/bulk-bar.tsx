import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { type DecisionKind, decisionWords } from './decisions.ts';
import classes from './findings.module.css';
import { TriageDialog } from './triage-dialog.tsx';

/** The service takes so many at once. */
const most = 500;

interface Props {
  readonly ids: readonly string[];
  readonly onClear: () => void;
}

/** What can be done with the findings that are selected. */
export function BulkBar({ ids, onClear }: Props) {
  const [deciding, setDeciding] = useState<DecisionKind>();
  if (ids.length === 0) return null;
  return (
    <section className={classes.bulk} aria-label="Selected findings">
      <Group gap="xs">
        <Text fw={600} className="tabular" aria-live="polite">
          {ids.length} selected
        </Text>
        {ids.length > most ? (
          <Text size="sm">At most {most} can be decided about at once.</Text>
        ) : (
          (Object.keys(decisionWords) as DecisionKind[]).map(kind => (
            <Button key={kind} size="xs" variant="default" onClick={() => setDeciding(kind)}>
              {decisionWords[kind].act}
            </Button>
          ))
        )}
        <Button size="xs" variant="subtle" onClick={onClear}>
          Clear selection
        </Button>
      </Group>
      {deciding && (
        <TriageDialog ids={ids} kind={deciding} onClose={() => setDeciding(undefined)} onDone={onClear} />
      )}
    </section>
  );
}
