import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props extends AnchorProps {
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button that looks like a link, for secondary actions. */
export function QuietButton(props: Props) {
  return <Anchor component="button" type="button" size="sm" ta="left" {...props} />;
}
