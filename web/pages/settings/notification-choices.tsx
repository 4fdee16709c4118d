import { Checkbox, Stack } from '@mantine/core';
import type { Digest, NoticeKind, NotifiedSeverity } from '../../../src/contract/dashboard/notifications.ts';
import { choicesOf } from '../../components/choices.ts';
import { Select } from '../../later/select-field.tsx';
import { digestLabels, kindLabels, severityLabels } from './notification-labels.ts';

export interface Choices {
  readonly kinds: readonly NoticeKind[];
  readonly severity: NotifiedSeverity;
  readonly digest: Digest;
}

interface Props<Chosen extends Choices> {
  readonly value: Chosen;
  readonly onChange: (value: Chosen) => void;
  /** The kinds to choose from. */
  readonly kinds: readonly NoticeKind[];
}

/** What a person or a channel gets: alerts by kind, and a summary. */
export function NotificationChoices<Chosen extends Choices>({ value, onChange, kinds }: Props<Chosen>) {
  return (
    <Stack gap="md">
      <Checkbox.Group
        label="Send at once"
        value={[...value.kinds]}
        onChange={chosen => onChange({ ...value, kinds: kinds.filter(kind => chosen.includes(kind)) })}
      >
        <Stack gap="sm" mt="xs">
          {kinds.map(kind => (
            <Checkbox
              key={kind}
              value={kind}
              label={kindLabels[kind].label}
              description={kindLabels[kind].description}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label="Severity of new findings"
        maw={280}
        allowDeselect={false}
        disabled={!value.kinds.includes('new_findings')}
        data={choicesOf(severityLabels)}
        value={value.severity}
        onChange={severity => onChange({ ...value, severity: severity as NotifiedSeverity })}
      />
      <Select
        label="Summary"
        description="What opened, what was resolved, and what to fix first. Sent also if nothing changed."
        maw={280}
        allowDeselect={false}
        data={choicesOf(digestLabels)}
        value={value.digest}
        onChange={digest => onChange({ ...value, digest: digest as Digest })}
      />
    </Stack>
  );
}
