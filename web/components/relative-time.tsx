import type { TooltipProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { exactTime, relativeTime } from '../formats/relative-time.ts';
import { later } from '../later/later.ts';

const useTooltip = later<TooltipProps>(() => import('../later/tooltip.ts'));

interface Props {
  /** An ISO timestamp. */
  readonly at: string;
  /** Of milliseconds: `timeUntil` for what is due at the time. */
  readonly format?: (time: number, now: number) => string;
}

/** A relative time. Hovering, focusing or tapping it shows the exact one. */
export function RelativeTime({ at, format = relativeTime }: Props) {
  const [now, setNow] = useState(Date.now);
  const [shown, setShown] = useState(false);
  const element = useRef<HTMLTimeElement>(null);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  const Tooltip = useTooltip(shown);
  const time = Date.parse(at);
  const show = () => setShown(true);
  const hide = () => setShown(false);
  return (
    <>
      <time
        ref={element}
        dateTime={at}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reaches the exact time
        tabIndex={0}
        onFocus={show}
        onBlur={hide}
        onMouseEnter={show}
        onMouseLeave={hide}
        onPointerDown={event => event.currentTarget.focus()}
        onKeyDown={event => event.key === 'Escape' && hide()}
      >
        {format(time, now)}
      </time>
      {shown && Tooltip && <Tooltip opened target={element} label={exactTime(time)} />}
    </>
  );
}
