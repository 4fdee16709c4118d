import { Code, Group, Stack, Text } from '@mantine/core';
import type { FixStep, Remediation } from '../../../src/contract/remediation.ts';
import { stepHeading, stepNotes, testText } from '../../../src/contract/remediation-text.ts';
import { CodeText } from '../../components/code-text.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dimmed } from '../../components/dimmed.tsx';
import classes from './findings.module.css';

/** What to do in any product, then what to change in each. */
export function FixSteps({ remediation: { advice, steps } }: { readonly remediation: Remediation }) {
  return (
    <Stack gap="md">
      <CodeText>{advice}</CodeText>
      {steps.map(step => (
        <Step key={stepHeading(step)} step={step} />
      ))}
    </Stack>
  );
}

function Step({ step }: { readonly step: FixStep }) {
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-end">
        <div>
          <Text fw={600} size="sm">
            {stepHeading(step)}
          </Text>
          <Dimmed size="xs">{testText(step)}</Dimmed>
        </div>
        <CopyButton value={step.code} what={`for ${step.product}`} />
      </Group>
      <Code block className={classes.code ?? ''}>
        {step.code}
      </Code>
      {stepNotes(step).map(note => (
        <CodeText key={note}>{note}</CodeText>
      ))}
    </Stack>
  );
}
