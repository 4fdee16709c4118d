import type { SourceRepository } from './source-repository.ts';

const dayMs = 86_400_000;

/** A list whose newest advisory is older than this many days is considered unmaintained. */
const longestLag = 180;

const idsIn = (text: string) => new Set(text.match(/CVE-\d{4}-\d{4,7}|GHSA(?:-\w{4}){3}/g));

/**
 * When the newest advisory of a list was added to it (YYYY-MM-DD). Later changes to other things, such as
 * patterns, do not make its content newer.
 */
export function newestAddition(
  repository: Pick<SourceRepository, 'read' | 'changesOf'>,
  file: string,
): string {
  const now = idsIn(repository.read(file) ?? '');
  if (now.size === 0) throw new Error(`${file} lists no advisory`);
  let date: string | undefined;
  for (const change of repository.changesOf(file)) {
    const then = idsIn(repository.read(file, change.commit) ?? '');
    if ([...now].some(id => !then.has(id))) break;
    ({ date } = change);
  }
  if (date === undefined) throw new Error(`No commit of ${file} contains all of its advisories`);
  return date;
}

/** Throws if a list lags: it is older than the bundled one, or older than `longestLag` days. Dates: YYYY-MM-DD. */
export function requireFresh(
  date: string,
  { bundledDate, today }: Record<'bundledDate' | 'today', string>,
): void {
  if (date < bundledDate) {
    throw new Error(
      `The list lags: its newest advisory is from ${date}, the bundled one from ${bundledDate}`,
    );
  }
  const days = Math.floor((Date.parse(today) - Date.parse(date)) / dayMs);
  if (days > longestLag) {
    throw new Error(`The list lags: its newest advisory is ${days} days old (at most ${longestLag})`);
  }
}
