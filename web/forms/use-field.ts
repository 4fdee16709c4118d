import { useState } from 'react';

/** The text of an input, and the props that bind the input to it. @param path where the service reports errors of the field */
export function useField(path: string, initial: string | (() => string) = '') {
  const [value, onChange] = useState(initial);
  return { path, value, onChange };
}
