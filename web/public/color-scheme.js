// Runs before the first paint, so that dark mode does not flash white.
(() => {
  let scheme = 'auto';
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
  } catch {
    // Without storage, the system's color scheme applies.
  }
  const dark =
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
