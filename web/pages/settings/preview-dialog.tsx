import { Anchor, Stack, Text } from '@mantine/core';
import type { PreviewMessage } from '../../../src/contract/dashboard/notifications.ts';
import { apiUrl } from '../../api/client.ts';
import { useMessagePreview } from '../../api/notifications.ts';
import { useOrganization } from '../../api/session.ts';
import { CardSkeleton, Loaded } from '../../components/loading.tsx';
import { Dialog } from '../../later/dialog.tsx';
import { queryString } from '../../paths.ts';
import classes from './settings.module.css';

interface Props extends PreviewMessage {
  readonly onClose: () => void;
}

/** A message as it would be sent now. */
export default function PreviewDialog({ purpose, onClose }: Props) {
  const preview = useMessagePreview({ purpose });
  const { api } = useOrganization();
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={purpose === 'alert' ? 'Preview of an alert' : 'Preview of a summary'}
    >
      <Loaded query={preview} skeleton={<CardSkeleton height={320} />}>
        {({ subject, text }) => (
          <Stack gap="sm">
            <Text fw={600}>{subject}</Text>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard */}
            <pre className={classes.preview ?? ''} tabIndex={0}>
              {text}
            </pre>
            <Anchor
              href={apiUrl(api(`/notifications/preview/html${queryString({ purpose })}`))}
              target="_blank"
              rel="noreferrer"
            >
              Open with formatting
            </Anchor>
          </Stack>
        )}
      </Loaded>
    </Dialog>
  );
}
