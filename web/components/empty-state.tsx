import { Group, Stack, Text, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './states.module.css';

interface Props {
  readonly icon?: Icon;
  readonly title: string;
  /** Heading level: 1 where this is the whole page. */
  readonly order?: 1 | 2;
  /** What will be here, and the next step. */
  readonly children?: ReactNode;
  /** The button or link for that step. */
  readonly action?: ReactNode;
}

/** Shown in place of a list that has no rows. */
export function EmptyState({ icon: Icon, title, order = 2, children, action }: Props) {
  return (
    <Stack className={classes.state} align="center" gap="xs">
      {Icon && <Icon size={32} stroke={1.5} aria-hidden className={classes.icon} />}
      <Title order={order} size="h2" ta="center">
        {title}
      </Title>
      {children && (
        <Text c="dimmed" ta="center" maw="56ch" component="div">
          {children}
        </Text>
      )}
      {action && <Group mt="xs">{action}</Group>}
    </Stack>
  );
}
