import { Button, Group, Select } from '@mantine/core';
import { useState } from 'react';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useWatch } from '../../api/sources.ts';
import { succeed } from '../../components/succeed.ts';
import { FormError } from '../../forms/form-error.tsx';
import { watchLabels } from './words.ts';

type Hours = NonNullable<SourceDetail['watch_every_hours']>;

/** How often it is scanned, or that it is no more. */
export function WatchForm({ source }: { readonly source: SourceDetail }) {
  const act = useWatch();
  const current = source.watch?.every_hours;
  const [every, setEvery] = useState<Hours>(current ?? 24);
  const turn = (hours: Hours | null) =>
    act.mutate(
      { id: source.id, every: hours },
      { onSuccess: () => succeed(hours === null ? 'Watch is off' : 'Watch is on') },
    );
  return (
    <div>
      <Group gap="xs" align="flex-end">
        <Select
          label="How often"
          w={170}
          allowDeselect={false}
          data={[...watchLabels]}
          value={String(every)}
          onChange={value => setEvery(Number(value) as Hours)}
        />
        <Button
          disabled={every === current}
          loading={act.isPending && act.variables?.every !== null}
          onClick={() => turn(every)}
        >
          {current ? 'Change' : 'Turn Watch on'}
        </Button>
        {current && (
          <Button
            variant="default"
            loading={act.isPending && act.variables?.every === null}
            onClick={() => turn(null)}
          >
            Turn off
          </Button>
        )}
      </Group>
      <FormError error={act.error} />
    </div>
  );
}
