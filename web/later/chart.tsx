import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { untilQuiet } from './later.ts';

/**
 * A chart whose code, several times that of a page, loads after the page and once its place is near the window.
 * @param height in pixels
 */
export function laterChart<Props extends object>(
  height: number,
  importCode: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const Chart = lazy(importCode) as ComponentType<Props>;
  return function LaterChart(props: Props) {
    const place = useRef<HTMLDivElement>(null);
    const [near, setNear] = useState(false);
    useEffect(() => {
      const observer = new IntersectionObserver(
        entries => {
          if (entries.some(({ isIntersecting }) => isIntersecting))
            void untilQuiet().then(() => setNear(true));
        },
        { rootMargin: '200px' },
      );
      if (place.current) observer.observe(place.current);
      return () => observer.disconnect();
    }, []);
    return (
      <div ref={place} style={{ minHeight: height }} aria-hidden>
        <Suspense>{near && <Chart {...props} />}</Suspense>
      </div>
    );
  };
}
