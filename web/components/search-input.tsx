import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type Ref, useEffect, useRef, useState } from 'react';

interface Props {
  /** For screen readers. */
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/** Searches when the person pauses typing. */
export function SearchInput({ label, placeholder = label, value = '', onChange, ref }: Props) {
  const [text, setText] = useState(value);
  const searched = useRef(value);
  const search = useDebouncedCallback((typed: string) => {
    searched.current = typed.trim();
    onChange(searched.current);
  }, 250);
  // The filters may be cleared elsewhere. A change that comes from this input must not replace what is being typed.
  useEffect(() => {
    if (value === searched.current) return;
    searched.current = value;
    setText(value);
  }, [value]);
  return (
    <TextInput
      {...(ref ? { ref } : {})}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      maxLength={200}
      flex="1 1 14rem"
      maw={320}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={event => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
