import { Text } from '@mantine/core';
import { Dimmed } from '../../components/dimmed.tsx';
import { Mono } from '../../components/mono.tsx';

/** The IP addresses that a key may be used from. More than three are collapsed, so that one key does not fill the page. */
export function AllowedAddresses({ addresses }: { readonly addresses: readonly string[] }) {
  const list = <Mono size="xs">{addresses.join(', ')}</Mono>;
  if (addresses.length <= 3) return <Dimmed size="xs">Allowed addresses: {list}</Dimmed>;
  return (
    <Text c="dimmed" component="details" size="xs">
      <summary>{addresses.length} allowed addresses</summary>
      {list}
    </Text>
  );
}
