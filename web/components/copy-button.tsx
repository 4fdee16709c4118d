import { Button, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';

interface Props {
  readonly value: string;
  /** What is copied, for people who do not see the field: `Copy token`. */
  readonly what?: string;
  readonly onCopied?: () => void;
}

export function CopyButton({ value, what, onCopied }: Props) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    const copied = await copyText(value);
    setState(copied ? 'copied' : 'failed');
    if (copied) onCopied?.();
  };
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
      <span aria-live="polite">{{ idle: 'Copy', copied: 'Copied', failed: 'Select it' }[state]}</span>
      {what && <VisuallyHidden>&nbsp;{what}</VisuallyHidden>}
    </Button>
  );
}
