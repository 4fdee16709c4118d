import { Card, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Mark } from '../../layout/mark.tsx';
import { ThemeMenu } from '../../layout/theme-menu.tsx';
import classes from './entrance.module.css';

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}

/** A page outside of organizations: one card with one task. */
export function Entrance({ title, description, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Parapet`;
  }, [title]);
  return (
    <div className={classes.entrance}>
      <header className={classes.header}>
        <Group gap="xs" className={classes.brand ?? ''}>
          <Mark size={26} />
          <Text fw={650} size="xl" component="span">
            Parapet
          </Text>
        </Group>
        <ThemeMenu />
      </header>
      <main>
        <Card withBorder p="xl" className={classes.card ?? ''}>
          <Stack gap={4} mb="lg">
            <Title order={1}>{title}</Title>
            {description && (
              <Text c="dimmed" component="div">
                {description}
              </Text>
            )}
          </Stack>
          {children}
        </Card>
      </main>
    </div>
  );
}
