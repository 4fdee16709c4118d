import { useState } from 'react';
import { useLocation } from 'react-router';

/** The token of a one-time link, `#token=…`: browsers do not send fragments. It stays available after the fragment is removed. */
export function useLinkToken(): string {
  const { hash } = useLocation();
  const [token] = useState(() => new URLSearchParams(hash.slice(1)).get('token') ?? '');
  return token;
}
