import { Button, Group, Text, ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Overview } from '../../../src/contract/dashboard/overview.ts';
import { useOrganization } from '../../api/session.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { RowList, RowText } from '../../components/row-list.tsx';
import { Section } from '../../components/section.tsx';
import { TextLink } from '../../components/text-link.tsx';
import { useOrganizationPaths } from '../../paths.ts';

/** Leads a new organization to its first scan. */
export function FirstSteps({ overview }: { readonly overview: Overview }) {
  const to = useOrganizationPaths();
  const { canOperate } = useOrganization();
  const steps = [
    {
      done: overview.systems > 0,
      title: 'Add a system',
      action: 'Add system',
      text: 'An application, site or API that your organization runs',
      href: to.section('systems', { add: 'yes' }),
    },
    {
      done: overview.sources > 0,
      title: 'Add a source',
      action: 'Add source',
      text: 'The website or database to scan',
      href: to.section('sources/new'),
    },
    {
      done: overview.scans > 0,
      title: 'Run the first scan',
      action: 'Go to sources',
      text: 'Read-only, and takes less than a minute',
      href: to.section('sources'),
    },
  ];
  const next = steps.findIndex(({ done }) => !done);
  return (
    <Section title="Get started" description="Three steps to your first findings.">
      <RowList ordered>
        {steps.map(({ done, title, action, text, href }, index) => (
          <li key={title}>
            <RowText>
              <Group gap="sm" wrap="nowrap">
                <ThemeIcon radius="xl" variant={done ? 'filled' : 'default'} aria-hidden>
                  {done ? <IconCheck size={16} /> : index + 1}
                </ThemeIcon>
                <div>
                  <Text fw={500}>
                    {title}
                    {done ? ' (done)' : ''}
                  </Text>
                  <Dimmed>{text}</Dimmed>
                </div>
              </Group>
            </RowText>
            {index === next && canOperate && (
              <Button component={Link} to={href}>
                {action}
              </Button>
            )}
          </li>
        ))}
      </RowList>
      {canOperate && (
        <Dimmed mt="sm">
          Is it in a network that this service cannot reach?{' '}
          <TextLink to={to.section('probes/new')} underline="always">
            Add a probe
          </TextLink>
          , which assesses it from there.
        </Dimmed>
      )}
    </Section>
  );
}
