import { Alert, Text } from '@mantine/core';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { Mono } from '../../components/mono.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';

/** The result of the last connection test, until one passes. */
export function FailedTest({ test }: { readonly test: NonNullable<SourceDetail['failed_test']> }) {
  return (
    <Alert color="red" variant="light" title="Connection failed" role="status" mt="md">
      <Text size="sm">
        {test.what} Last tested <RelativeTime at={test.checked_at} />. Error code:{' '}
        <Mono>{test.error_code}</Mono>
      </Text>
      <Text size="sm" mt={4}>
        {test.fix}
      </Text>
    </Alert>
  );
}
