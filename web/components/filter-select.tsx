import { type BoxProps, Select } from '@mantine/core';
import { useSystemNames } from '../api/system-names.ts';

interface Props extends BoxProps {
  readonly label: string;
  /** What is said where nothing is chosen, such as “Any status”. */
  readonly anything: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string | null) => void;
  /** Whether there are so many that people type to find one. */
  readonly searchable?: boolean;
}

/** One of a filter bar's choices, which may be left open. */
export function FilterSelect({ label, anything, choices, value, ...rest }: Props) {
  return (
    <Select
      aria-label={label}
      placeholder={anything}
      clearable
      data={[...choices]}
      value={value ?? null}
      w={rest.flex ? undefined : 160}
      {...rest}
    />
  );
}

type SystemProps = Omit<Props, 'label' | 'anything' | 'choices'>;

/** Narrows a list to one system. */
export function SystemSelect(props: SystemProps) {
  const systems = useSystemNames();
  const choices = [...(systems.data ?? [])].map(([value, label]) => ({ value, label }));
  return <FilterSelect label="System" anything="Any system" choices={choices} searchable {...props} />;
}
