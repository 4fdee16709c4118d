import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props extends TextProps {
  readonly children: ReactNode;
}

/** Ids, hosts and other text in a monospaced font; it wraps anywhere. */
export function Mono(props: Props) {
  return <Text span size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }} {...props} />;
}
