import { useState } from 'react';
import type { SourceKind } from '../../../src/contract/sources.ts';
import { TextField } from '../../forms/text-field.tsx';
import { hostLabels } from './source-labels.ts';
import { tidyHost } from './tidy-host.ts';

interface Props {
  readonly kind: SourceKind;
  readonly value: string;
  readonly onChange: (host: string) => void;
  readonly error: Error | null;
}

/** The host of a source. On blur, the field removes a query or fragment and says so. */
export function HostField({ kind, value, onChange, error }: Props) {
  const [removed, setRemoved] = useState<string>();
  const { label, description } = hostLabels[kind];
  const tidy = () => {
    const result = tidyHost(kind, value);
    if (result.host !== value) onChange(result.host);
    if (result.removed) setRemoved(result.removed);
  };
  return (
    <TextField
      label={label}
      description={
        <span role="status">
          {removed ? `Removed “${removed}”. Sources don't include a query or fragment.` : description}
        </span>
      }
      required
      maxLength={2048}
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      path="host"
      error={error}
      onChange={host => {
        setRemoved(undefined);
        onChange(host);
      }}
      onBlur={tidy}
    />
  );
}
