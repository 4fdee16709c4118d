import { Alert, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useOrganization } from '../../api/session.ts';
import { Section } from '../../components/section.tsx';
import { SetupStep } from './setup-step.tsx';
import { type StepName, setupSteps } from './setup-steps.ts';
import classes from './sources.module.css';

/** Leads through the setup of a source. Hidden once all steps are done. */
export function SetupSection({ source }: { readonly source: SourceDetail }) {
  const { canOperate } = useOrganization();
  const [skipped, setSkipped] = useState<ReadonlySet<StepName>>(new Set());
  if (source.status === 'disconnected') {
    return (
      <Alert color="gray" variant="light" title="Disconnected">
        {source.state.allows} {source.state.next?.text}
      </Alert>
    );
  }
  const steps = setupSteps(source, skipped);
  const current = steps.findIndex(({ done }) => !done);
  if (current === -1) return null;
  return (
    <Section
      title="Setup"
      description={
        canOperate ? source.state.allows : `${source.state.allows} An admin can continue the setup.`
      }
    >
      <ol className={classes.steps}>
        {steps.map(({ name, title, done }, index) => (
          <li key={name} aria-current={index === current ? 'step' : undefined}>
            <ThemeIcon
              radius="xl"
              size="md"
              variant={done || index === current ? 'filled' : 'default'}
              color={done ? 'teal.8' : 'ink'}
              aria-hidden
            >
              {done ? <IconCheck size={16} /> : index + 1}
            </ThemeIcon>
            <Stack gap="xs" flex={1} miw={0}>
              <Text fw={index === current ? 600 : 400} c={index > current ? 'dimmed' : ''} lh={1.9}>
                {title}
                {done ? (skipped.has(name) ? ' (skipped)' : ' (done)') : ''}
              </Text>
              {index === current && canOperate && (
                <SetupStep
                  name={name}
                  source={source}
                  onSkip={() => setSkipped(before => new Set([...before, name]))}
                />
              )}
            </Stack>
          </li>
        ))}
      </ol>
    </Section>
  );
}
