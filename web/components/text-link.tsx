import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface Props extends AnchorProps {
  readonly to: string;
  readonly onClick?: () => void;
  readonly 'aria-label'?: string;
  readonly children: ReactNode;
}

/** A link to another page of the dashboard. */
export function TextLink(props: Props) {
  return <Anchor component={Link} size="sm" {...props} />;
}
