const key = 'parapet-reloaded-at';

/**
 * A page that was opened before the service was upgraded asks for files that are gone: it is loaded anew, once. When that
 * does not help, the page says so.
 */
export function reloadAfterUpgrade(): void {
  window.addEventListener('vite:preloadError', event => {
    const before = Number(sessionStorage.getItem(key) ?? 0);
    if (Date.now() - before < 60_000) return;
    sessionStorage.setItem(key, String(Date.now()));
    event.preventDefault();
    location.reload();
  });
}
