import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { downloadAfterStepUp } from '../api/download.ts';

interface Props extends AnchorProps {
  readonly href: string;
  readonly children: ReactNode;
}

/** A link to a file of the service that requires a step-up. */
export function DownloadLink(props: Props) {
  return <Anchor download size="sm" onClick={downloadAfterStepUp} {...props} />;
}
