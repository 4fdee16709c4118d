import { Group } from '@mantine/core';
import type { ProbeRow } from '../../../src/contract/dashboard/probes.ts';
import { Dimmed } from '../../components/dimmed.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { byteSize, counted } from '../../formats/numbers.ts';
import { probeState } from './probe-state.ts';

/** Events that waited in the probe's spool when it stated them. */
export function SpoolText({ spool }: Pick<ProbeRow, 'spool'>) {
  if (spool.events === 0) return 'Empty';
  return (
    <span>
      {counted(spool.events, 'event')} behind, {byteSize(spool.bytes)}
      {spool.oldest_at && (
        <>
          , oldest <RelativeTime at={spool.oldest_at} />
        </>
      )}
      {spool.as_of && (
        <>
          , as of <RelativeTime at={spool.as_of} />
        </>
      )}
    </span>
  );
}

const states = ['failing', 'waiting', 'ok'] as const;

/** How many targets are in each state; of a probe that does not report, only how many. */
export function TargetCounts({ probe }: { readonly probe: ProbeRow }) {
  const { targets } = probe;
  const present = states.filter(state => targets[state] > 0);
  if (present.length === 0) return <Dimmed span>None</Dimmed>;
  if (probeState(probe) !== 'reporting')
    return counted(targets.ok + targets.failing + targets.waiting, 'target');
  return (
    <Group gap="sm">
      {present.map(state => (
        <StatusBadge
          key={state}
          status={state}
          label={`${targets[state].toLocaleString()} ${state === 'ok' ? 'OK' : state}`}
        />
      ))}
    </Group>
  );
}
