import { Button, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

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

/** Copies text to the clipboard, also over plain HTTP, where browsers withhold the Clipboard API. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => copyBySelection(text),
    );
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('aria-hidden', 'true');
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // An open dialog traps the focus, so the text has to be selected inside of it.
  const parent = document.activeElement?.parentElement ?? document.body;
  parent.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}
