import { Checkbox, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { SourceRow } from '../../../src/contract/dashboard/sources.ts';
import { useSources } from '../../api/sources.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { Loaded, TableSkeleton } from '../../components/loading.tsx';
import { kindLabels } from '../sources/source-labels.ts';
import { draftTarget, type TargetDraft } from './target-draft.ts';

interface Props {
  readonly systemId: string;
  readonly preselected: string | undefined;
  readonly drafts: readonly TargetDraft[];
  readonly onChange: (change: (before: readonly TargetDraft[]) => readonly TargetDraft[]) => void;
}

/** The sources of the system that wait for a probe, to choose from. Without any, one new target to fill in. */
export function ExistingSources({ systemId, preselected, drafts, onChange }: Props) {
  const sources = useSources({ system_id: systemId });
  const waiting = sources.data?.pages
    .flatMap(page => page.sources)
    .filter(({ connection_mode, status }) => connection_mode === 'probe' && status !== 'disconnected');
  const started = useRef(false);
  useEffect(() => {
    if (!waiting || started.current) return;
    started.current = true;
    const first = waiting.filter(({ id }) => id === preselected).map(draftOf);
    onChange(before => (before.length > 0 ? before : waiting.length > 0 ? first : [draftTarget()]));
  }, [waiting, preselected, onChange]);
  return (
    <Loaded query={sources} skeleton={<TableSkeleton rows={2} />}>
      {() =>
        waiting &&
        waiting.length > 0 && (
          <Stack gap="xs">
            <Text fw={600} size="sm">
              Sources in probe mode of this system
            </Text>
            {waiting.map(source => (
              <Checkbox
                key={source.id}
                label={source.name}
                description={`${kindLabels[source.kind]}, ${source.host}`}
                checked={drafts.some(({ sourceId }) => sourceId === source.id)}
                onChange={event => {
                  const { checked } = event.currentTarget;
                  onChange(before =>
                    checked
                      ? [...before, draftOf(source)]
                      : before.filter(({ sourceId }) => sourceId !== source.id),
                  );
                }}
              />
            ))}
            <LoadMore query={sources} />
          </Stack>
        )
      }
    </Loaded>
  );
}

const draftOf = ({ id, kind, name, host }: SourceRow): TargetDraft =>
  draftTarget({ key: id, sourceId: id, kind, name, host });
