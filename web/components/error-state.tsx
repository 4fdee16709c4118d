import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { ApiError } from '../api/api-error.ts';
import { CopyButton } from './copy-button.tsx';
import { Dimmed } from './dimmed.tsx';
import classes from './states.module.css';

interface Props {
  readonly error: Error;
  readonly onRetry?: () => void;
  /** Heading level: 1 where this is the whole page. */
  readonly order?: 1 | 2;
}

/** What went wrong and what to do, with the request's id for the service's log. */
export function ErrorState({ error, onRetry, order = 2 }: Props) {
  const notFound = error instanceof ApiError && error.status === 404;
  return (
    <Stack className={classes.state} align="center" gap="xs" role="alert">
      <IconAlertTriangle size={32} stroke={1.5} aria-hidden className={classes.icon} />
      <Title order={order} size="h2">
        {notFound ? 'Not found' : 'Failed to load'}
      </Title>
      <Text c="dimmed" ta="center" maw="56ch">
        {error instanceof ApiError ? error.message : 'Something went wrong on this page. Reload it.'}
      </Text>
      <RequestId error={error} />
      {onRetry && !notFound && (
        <Button
          mt="xs"
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={onRetry}
        >
          Try again
        </Button>
      )}
    </Stack>
  );
}

/** The id with which the operator finds a failed request in the log; nothing for other errors. */
export function RequestId({ error }: { readonly error: Error }) {
  const id = error instanceof ApiError ? error.requestId : undefined;
  if (!id) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      <Dimmed size="xs">Request ID {id}</Dimmed>
      <CopyButton value={id} what="request ID" />
    </Group>
  );
}
