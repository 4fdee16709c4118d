import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';

interface Props {
  /** Also the title of the browser tab. */
  readonly title: string;
  readonly description?: ReactNode;
  /** Beside the title, such as a badge. */
  readonly aside?: ReactNode;
  /** Buttons, the primary one last. */
  readonly actions?: ReactNode;
  /** The page above this one. */
  readonly back?: { readonly to: string; readonly label: string };
}

/** The title of a page, its only `h1`. */
export function PageHeader({ title, description, aside, actions, back }: Props) {
  useEffect(() => {
    document.title = `${title} · Parapet`;
  }, [title]);
  return (
    <Stack gap={4} mb="lg">
      {back && (
        <Anchor component={Link} to={back.to} size="sm" w="fit-content">
          <Group gap={4} component="span">
            <IconArrowLeft size={14} aria-hidden /> {back.label}
          </Group>
        </Anchor>
      )}
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} flex="1 1 18rem">
          <Group gap="sm">
            <Title order={1}>{title}</Title>
            {aside}
          </Group>
          {description && (
            <Text c="dimmed" maw="70ch">
              {description}
            </Text>
          )}
        </Stack>
        {actions && (
          <Group gap="xs" align="flex-start">
            {actions}
          </Group>
        )}
      </Group>
    </Stack>
  );
}
