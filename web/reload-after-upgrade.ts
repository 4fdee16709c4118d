const key = 'parapet-reloaded-at';

/**
 * Reloads a page that was opened before an upgrade and requests files that no longer exist. Only once a minute: if reloading does
 * not help, the page shows the error.
 */
export function reloadAfterUpgrade(): void {
  window.addEventListener('vite:preloadError', event => {
    const last = Number(sessionStorage.getItem(key) ?? 0);
    if (Date.now() - last < 60_000) return;
    sessionStorage.setItem(key, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}
