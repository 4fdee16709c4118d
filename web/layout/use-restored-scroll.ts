import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** By the key of an entry of the browser's history. */
const positions = new Map<string, number>();

/** The longest time in ms that the content of a page takes to be as long as it was. */
const patience = 3_000;

/** Scrolls to where the page was when the person goes back or forward. The browser tries this before there is content. */
export function useRestoredScroll(): void {
  const { key } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    // Reloading is up to the browser.
    const release = () => {
      history.scrollRestoration = 'auto';
    };
    addEventListener('pagehide', release);
    return () => removeEventListener('pagehide', release);
  }, []);
  useLayoutEffect(() => {
    const top = isReturn ? positions.get(key) : undefined;
    const until = performance.now() + patience;
    let frame = 0;
    const restore = () => {
      const isLong = document.documentElement.scrollHeight >= top! + innerHeight;
      if (isLong || performance.now() > until) scrollTo(0, top!);
      else frame = requestAnimationFrame(restore);
    };
    if (top !== undefined) restore();
    const remember = () => positions.set(key, scrollY);
    const stop = () => cancelAnimationFrame(frame);
    addEventListener('scroll', remember, { passive: true });
    for (const input of ['wheel', 'touchstart', 'keydown']) addEventListener(input, stop, { passive: true });
    return () => {
      stop();
      removeEventListener('scroll', remember);
      for (const input of ['wheel', 'touchstart', 'keydown']) removeEventListener(input, stop);
    };
  }, [key, isReturn]);
}
