import { Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './section.module.css';

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A titled card of a page. */
export function Section({ title, description, actions, children }: Props) {
  return (
    <Card component="section" withBorder className={classes.section ?? ''} aria-label={title}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2} flex="1 1 10rem">
          <Title order={2}>{title}</Title>
          {description && (
            <Text size="sm" c="dimmed" component="div" maw="64ch">
              {description}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children && <div className={classes.body}>{children}</div>}
    </Card>
  );
}
