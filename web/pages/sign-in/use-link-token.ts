import { useState } from 'react';
import { useLocation } from 'react-router';

/**
 * The token of a link that works once: `#token=…`, which browsers send to nobody. It is remembered for the page alone.
 */
export function useLinkToken(): string {
  const { hash } = useLocation();
  const [token] = useState(() => new URLSearchParams(hash.slice(1)).get('token') ?? '');
  return token;
}
