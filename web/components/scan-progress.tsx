import { Progress, Stack } from '@mantine/core';
import type { ScanRow } from '../../src/contract/dashboard/scans.ts';
import { Dimmed } from './dimmed.tsx';

/** How many of a scan's runs have finished. */
export function ScanProgress({
  scan,
}: {
  readonly scan: Pick<ScanRow, 'runs_ended' | 'runs_planned' | 'status'>;
}) {
  const { runs_ended: ended, runs_planned: planned } = scan;
  return (
    <Stack gap={2} miw={120}>
      <Progress
        value={planned === 0 ? 0 : (100 * ended) / planned}
        size="sm"
        aria-label={`${ended} of ${planned} runs finished`}
      />
      <Dimmed size="xs" className="tabular">
        {scan.status === 'queued' ? 'Queued' : `${ended} of ${planned} runs`}
      </Dimmed>
    </Stack>
  );
}
