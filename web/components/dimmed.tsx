import { Text, type TextProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** Secondary text. */
export function Dimmed(props: TextProps & { readonly children: ReactNode }) {
  return <Text size="sm" c="dimmed" {...props} />;
}
