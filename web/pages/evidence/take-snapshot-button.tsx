import { Button } from '@mantine/core';
import { IconCamera } from '@tabler/icons-react';
import { useState } from 'react';
import { laterPart } from '../../later/later.ts';

const SnapshotDialog = laterPart(() => import('./snapshot-dialog.tsx'));

export function TakeSnapshotButton() {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button leftSection={<IconCamera size={16} aria-hidden />} onClick={() => setOpened(true)}>
        Take snapshot
      </Button>
      {opened && <SnapshotDialog onClose={() => setOpened(false)} />}
    </>
  );
}
