import type { BoxProps } from '@mantine/core';
import { Select } from '../later/select-field.tsx';
import { type Choice, withChosen } from './choices.ts';
import { useSystemChoices } from './use-system-choices.ts';

interface Props extends BoxProps {
  readonly label: string;
  /** Shown while nothing is chosen: `All statuses`. */
  readonly all: string;
  /** Undefined while they load. */
  readonly choices: readonly Choice[] | undefined;
  readonly value: string | undefined;
  readonly onChange: (value: string | null) => void;
  /** Lets people type to find a choice. */
  readonly searchable?: boolean;
}

/** A filter with one choice, or none. */
export function FilterSelect({ label, all, choices, value, ...rest }: Props) {
  return (
    <Select
      aria-label={label}
      placeholder={all}
      clearable
      data={choices ? withChosen(choices, value) : []}
      value={value ?? null}
      w={rest.flex ? undefined : 160}
      {...rest}
    />
  );
}

type SystemProps = Omit<Props, 'label' | 'all' | 'choices'>;

/** Filters a list by system. */
export function SystemSelect({ value, ...rest }: SystemProps) {
  const { select } = useSystemChoices(value);
  return (
    <Select
      aria-label="System"
      placeholder="All systems"
      clearable
      value={value ?? null}
      w={rest.flex ? undefined : 160}
      {...rest}
      {...select}
    />
  );
}
