import type { ReportWriter } from './report-writer.ts';

/** `2026-11-21 08:00 UTC` */
export const moment = (timestamp: string) => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
export const day = (timestamp: string) => timestamp.slice(0, 10);
export const orDash = (text: string | null) => text ?? '–';

/** `1 source`, `2 sources`. */
export const counted = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Names the file with the full list if the report shows only a part of it. */
export function sayMore(writer: ReportWriter, more: boolean, file: string): void {
  if (more) writer.paragraph(`This list is truncated. The full list is in ${file}.`, 'muted');
}
