import { Button, Group, Text, ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Overview } from '../../../src/contract/dashboard/overview.ts';
import { useOrganization } from '../../api/session.ts';
import { Section } from '../../components/section.tsx';
import { useOrganizationPaths } from '../../paths.ts';
import classes from './overview.module.css';

/** What a new organization does first; gone once it was scanned. */
export function FirstSteps({ overview }: { readonly overview: Overview }) {
  const to = useOrganizationPaths();
  const { canOperate } = useOrganization();
  const steps = [
    {
      done: overview.systems > 0,
      title: 'Add a system',
      text: 'An application, a site or an API that you answer for.',
      href: to.section('systems', { add: 'yes' }),
    },
    {
      done: overview.sources > 0,
      title: 'Add a source',
      text: 'The website or database of it that is to be looked at.',
      href: to.section('sources/new'),
    },
    {
      done: overview.scans > 0,
      title: 'Start the first scan',
      text: 'It only reads, and takes less than a minute.',
      href: to.section('sources'),
    },
  ];
  const next = steps.findIndex(({ done }) => !done);
  return (
    <Section title="Begin here" description="Three steps to the first findings.">
      <ol className={classes.rows}>
        {steps.map(({ done, title, text, href }, index) => (
          <li key={title}>
            <Group gap="sm" wrap="nowrap" className={classes.why ?? ''}>
              <ThemeIcon radius="xl" variant={done ? 'filled' : 'default'} aria-hidden>
                {done ? <IconCheck size={16} /> : index + 1}
              </ThemeIcon>
              <div>
                <Text fw={500}>
                  {title}
                  {done ? ' (done)' : ''}
                </Text>
                <Text size="sm" c="dimmed">
                  {text}
                </Text>
              </div>
            </Group>
            {index === next && canOperate && (
              <Button component={Link} to={href}>
                {title}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
