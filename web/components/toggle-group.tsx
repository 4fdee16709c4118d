import { Group, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './toggle-group.module.css';

interface Option<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly count?: number | undefined;
}

interface Props<Value extends string> {
  /** Names the group for screen readers. */
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: Value[]) => void;
}

/** Buttons that switch filters on and off, each with a count. */
export function ToggleGroup<Value extends string>({ label, options, chosen, onChange }: Props<Value>) {
  const toggle = (value: Value) =>
    onChange(options.map(option => option.value).filter(each => chosen.includes(each) !== (each === value)));
  return (
    <Group gap={4} role="group" aria-label={label}>
      {options.map(({ value, label: text, count }) => (
        <UnstyledButton
          key={value}
          className={classes.option ?? ''}
          aria-pressed={chosen.includes(value)}
          onClick={() => toggle(value)}
        >
          {text}
          {count !== undefined && <span className={classes.count}>{count.toLocaleString()}</span>}
        </UnstyledButton>
      ))}
    </Group>
  );
}
