import { Text } from '@mantine/core';
import { Mono } from '../../components/mono.tsx';

/** The IP addresses that a key may be used from. More than three are collapsed, so that one key does not fill the page. */
export function AllowedAddresses({ addresses }: { readonly addresses: readonly string[] }) {
  const list = <Mono size="xs">{addresses.join(', ')}</Mono>;
  if (addresses.length <= 3) {
    return (
      <Text size="xs" c="dimmed">
        Allowed addresses: {list}
      </Text>
    );
  }
  return (
    <Text component="details" size="xs" c="dimmed">
      <summary>{addresses.length} allowed addresses</summary>
      {list}
    </Text>
  );
}
