/** Parapet's logo: the crenellation of a wall over a shield. */
export function Mark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path fill="currentColor" d="M4 5h5v4h4V5h6v4h4V5h5v11c0 6-5 10-12 12C9 26 4 22 4 16z" />
      <path
        d="m10.5 17 4 4 7-7.5"
        fill="none"
        stroke="var(--surface)"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
