import { ComboboxChevron, InputBase, type SelectProps } from '@mantine/core';
import { type PointerEvent, useRef, useState } from 'react';
import type { Choice } from '../components/choices.ts';
import { later } from './later.ts';

const useSelect = later<SelectProps>(() => import('./select.ts'));

export interface Props extends Omit<SelectProps, 'data' | 'defaultValue'> {
  readonly data: readonly Choice[];
}

/** Mantine's `Select`. Until its code has loaded, an input of the same size is shown. */
export function Select({ data, ...props }: Props) {
  const [wanted, setWanted] = useState(false);
  const hasFocus = useRef(false);
  const isOpened = useRef(false);
  const Loaded = useSelect(wanted);
  if (Loaded) {
    return (
      <Loaded
        {...props}
        data={[...data]}
        autoFocus={hasFocus.current}
        defaultDropdownOpened={isOpened.current && !props.disabled}
      />
    );
  }
  const { value, ...rest } = props;
  const want = () => setWanted(true);
  const open = () => {
    isOpened.current = true;
    want();
  };
  return (
    <InputBase
      {...ofInput(rest)}
      readOnly
      pointer
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      value={data.find(choice => choice.value === value)?.label ?? ''}
      rightSection={<ComboboxChevron size={rest.size ?? 'sm'} error={rest.error} />}
      rightSectionPointerEvents="none"
      onPointerEnter={want}
      onFocus={() => {
        hasFocus.current = true;
        want();
      }}
      onBlur={() => {
        hasFocus.current = false;
      }}
      // The code may load before the mouse button is released, which is not a click on the loaded input.
      onPointerDown={(event: PointerEvent) => event.pointerType === 'mouse' && open()}
      onClick={open}
    />
  );
}

/** Without what only the loaded component knows. */
function ofInput({
  clearable,
  searchable,
  allowDeselect,
  onChange,
  searchValue,
  onSearchChange,
  nothingFoundMessage,
  ...rest
}: Omit<Props, 'data' | 'value'>) {
  return rest;
}
