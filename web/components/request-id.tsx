import { Group } from '@mantine/core';
import { ApiError } from '../api/api-error.ts';
import { CopyButton } from './copy-button.tsx';
import { Dimmed } from './dimmed.tsx';

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
