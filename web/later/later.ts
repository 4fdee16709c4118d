import { type ComponentType, createElement, useEffect, useState } from 'react';

let quiet: Promise<void> | undefined;

/** Resolves once nothing of the first page is loading, so that no other code delays its content. */
export function untilQuiet(): Promise<void> {
  quiet ??= new Promise(resolve => {
    const timer = setInterval(() => {
      if (document.readyState !== 'complete' || document.querySelector('[aria-busy=true]')) return;
      clearInterval(timer);
      resolve();
    }, 100);
  });
  return quiet;
}

/**
 * A hook for code that a page shows without: undefined until it is loaded, which happens at once if it is wanted, and
 * otherwise after the content of the page.
 */
export function later<Props>(importCode: () => Promise<{ default: ComponentType<Props> }>) {
  let code: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const load = () => {
    loading ??= importCode().then(
      module => {
        code = module.default;
      },
      error => {
        // The next use requests it again.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  untilQuiet()
    .then(load)
    .catch(() => {});
  return (wanted: boolean): ComponentType<Props> | undefined => {
    const [loaded, setLoaded] = useState<ComponentType<Props> | undefined>(() => code);
    useEffect(() => {
      if (loaded) return;
      let gone = false;
      const show = () => setLoaded(() => code);
      const fail = (error: unknown) =>
        // Only then does the page report it.
        wanted &&
        setLoaded(() => {
          throw error;
        });
      (wanted ? Promise.resolve() : untilQuiet())
        .then(() => (gone ? undefined : load()))
        .then(
          () => gone || show(),
          error => gone || fail(error),
        );
      return () => {
        gone = true;
      };
    }, [loaded, wanted]);
    return loaded ?? code;
  };
}

/**
 * Whether a dialog is open: not yet when its code is rendered for the first time, since it returns the focus only to what had it
 * when it opened after that.
 */
export function useOpened(opened: boolean, isLoaded: boolean): boolean {
  const [isRendered, setRendered] = useState(false);
  useEffect(() => {
    if (isLoaded) setRendered(true);
  }, [isLoaded]);
  return isRendered && opened;
}

/** A component that appears as soon as its code has loaded: a dialog that a click opens. */
export function laterPart<Props extends object>(
  importCode: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const useCode = later(importCode);
  return function LaterPart(props: Props) {
    const Code = useCode(true);
    return Code && createElement(Code, props);
  };
}
