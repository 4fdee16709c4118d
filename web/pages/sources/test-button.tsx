import { Alert, Button, Stack } from '@mantine/core';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useTestConnection } from '../../api/sources.ts';
import { FormError } from '../../forms/form-error.tsx';

/** One connection, without a scan. It authorizes nothing. */
export function TestButton({
  source,
  variant,
}: {
  readonly source: SourceDetail;
  readonly variant?: 'default';
}) {
  const act = useTestConnection();
  const test = act.data?.test;
  return (
    <Stack gap="xs">
      <div role="status">
        {test && (
          <Alert
            variant="light"
            color={test.ok ? 'teal' : 'red'}
            title={test.ok ? `It answered within ${test.latency_ms} ms` : 'The test failed'}
          >
            {test.ok ? 'The connection works. It authorizes nothing by itself.' : test.error}
          </Alert>
        )}
      </div>
      <FormError error={act.error} />
      <Button
        w="fit-content"
        {...(variant ? { variant } : {})}
        loading={act.isPending}
        onClick={() => act.mutate({ id: source.id })}
      >
        {test && !test.ok ? 'Test again' : 'Test the connection'}
      </Button>
    </Stack>
  );
}
