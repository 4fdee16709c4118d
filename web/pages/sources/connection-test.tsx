import { Alert, Button, Stack } from '@mantine/core';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useTestConnection } from '../../api/sources.ts';
import { FormError } from '../../forms/form-error.tsx';

interface Props {
  readonly source: SourceDetail;
  readonly variant?: 'default';
}

/** Connects once, without a scan. */
export function ConnectionTest({ source, variant }: Props) {
  const run = useTestConnection();
  const test = run.data?.test;
  // The section shows a stored result itself.
  const isShown = variant !== undefined && test?.checked_at === source.failed_test?.checked_at;
  return (
    <Stack gap="xs">
      <div role="status">
        {test && !isShown && (
          <Alert
            variant="light"
            color={test.ok ? 'teal' : 'red'}
            title={test.ok ? 'Connection OK' : 'Connection failed'}
          >
            {test.ok ? `The source responded in ${test.latency_ms} ms.` : test.error}
          </Alert>
        )}
      </div>
      <FormError error={run.error} />
      <Button
        w="fit-content"
        {...(variant ? { variant } : {})}
        loading={run.isPending}
        onClick={() => run.mutate({ id: source.id })}
      >
        {test && !test.ok ? 'Test again' : 'Test connection'}
      </Button>
    </Stack>
  );
}
