import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { SourceDetail } from '../../../src/contract/dashboard/sources.ts';
import { useWatch } from '../../api/sources.ts';
import { notify } from '../../components/notify.ts';
import { FormError } from '../../forms/form-error.tsx';
import { Select } from '../../later/select-field.tsx';
import { watchIntervals } from './source-labels.ts';

type Hours = NonNullable<SourceDetail['watch_every_hours']>;

/** Turns Watch on or off, or changes its interval. */
export function WatchForm({ source }: { readonly source: SourceDetail }) {
  const watch = useWatch();
  const current = source.watch?.every_hours;
  const [every, setEvery] = useState<Hours>(current ?? 24);
  const save = (hours: Hours | null) => {
    const message = hours === null ? 'Watch turned off' : current ? 'Schedule changed' : 'Watch turned on';
    watch.mutate({ id: source.id, every: hours }, { onSuccess: () => notify(message) });
  };
  return (
    <div>
      <Group gap="xs" align="flex-end">
        <Select
          label="Schedule"
          w={170}
          allowDeselect={false}
          data={[...watchIntervals]}
          value={String(every)}
          onChange={value => setEvery(Number(value) as Hours)}
        />
        <Button
          disabled={every === current}
          loading={watch.isPending && watch.variables?.every !== null}
          onClick={() => save(every)}
        >
          {current ? 'Change schedule' : 'Turn on Watch'}
        </Button>
        {current && (
          <Button
            variant="default"
            loading={watch.isPending && watch.variables?.every === null}
            onClick={() => save(null)}
          >
            Turn off
          </Button>
        )}
      </Group>
      <FormError error={watch.error} />
    </div>
  );
}
