import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type Ref, useEffect, useRef, useState } from 'react';

interface Props {
  /** What is searched in, for screen readers. */
  readonly label: string;
  readonly placeholder?: string;
  /** What is searched for at the moment. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

/** Searches once whoever types pauses. */
export function SearchInput({ label, placeholder = label, value, onChange, ref }: Props) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const search = useDebouncedCallback((typed: string) => {
    sent.current = typed.trim();
    onChange(sent.current);
  }, 250);
  // Changed from elsewhere, such as by clearing all filters; never over what is being typed.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
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
