import { Button, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';

interface Props {
  readonly value: string;
  /** Completes the button's name for screen readers: `Copy token`. */
  readonly what?: string;
}

const labels = { idle: 'Copy', copied: 'Copied', failed: 'Copy failed' } as const;

export function CopyButton({ value, what }: Props) {
  const [state, setState] = useState<keyof typeof labels>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => setState((await copyText(value)) ? 'copied' : 'failed');
  return (
    <Button
      variant="default"
      size="xs"
      flex="none"
      miw={88}
      leftSection={
        state === 'copied' ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
      }
      onClick={() => void copy()}
    >
      <span aria-live="polite">{labels[state]}</span>
      {what && <VisuallyHidden>&nbsp;{what}</VisuallyHidden>}
    </Button>
  );
}
