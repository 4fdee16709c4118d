import { growthOf, type PageTime, timesOf } from '../year/page-times.ts';
import { bytesOf, type TableSize } from '../year/table-sizes.ts';
import { table } from './table.ts';

export interface YearResults {
  readonly sources: number;
  readonly days: number;
  readonly keptDays: number;
  readonly empty: readonly TableSize[];
  readonly atEnd: readonly TableSize[];
  readonly pages: readonly PageTime[];
}

/** Hourly sources of the installation that is extrapolated to. */
const installed = 20_000;

/** Tables with less than this at 20,000 sources are summed up. */
const shownGigabytes = 0.05;

/** What a scan of each hour writes and its retention deletes. */
const ofScans = new Set(['scans', 'scan_runs']);

const grouped = (value: number) => Math.round(value).toLocaleString('en');

/** Bytes of a table that its rows take, without those of an empty one. */
function grown({ empty, atEnd }: YearResults): (TableSize & { readonly bytes: number })[] {
  const before = new Map(empty.map(size => [size.name, bytesOf(size)]));
  return atEnd
    .map(size => ({ ...size, bytes: bytesOf(size) - (before.get(size.name) ?? 0) }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes);
}

export function yearText(results: YearResults): string {
  const { sources, days, keptDays } = results;
  const factor = installed / sources;
  const tables = grown(results);
  const gigabytes = (bytes: number) => (bytes * factor) / 1e9;
  const rows = tables
    .filter(({ bytes }) => gigabytes(bytes) >= shownGigabytes)
    .map(({ name, rows, heap, indexes, toast, bytes }) => [
      name,
      grouped(rows),
      grouped(heap),
      grouped(indexes),
      grouped(toast),
      rows === 0 ? '' : grouped(bytes / rows),
      gigabytes(bytes).toFixed(2),
    ]);
  const sum = (some: typeof tables) => gigabytes(some.reduce((total, { bytes }) => total + bytes, 0));
  const scans = tables.filter(({ name }) => ofScans.has(name));
  const others = tables.filter(({ name }) => !ofScans.has(name));
  const kept = tables.find(({ name }) => name === 'scans')!.rows;
  const perScan = scans.reduce((total, { bytes }) => total + bytes, 0) / kept;
  return [
    `${sources} hourly sources for ${days} days, scans kept ${keptDays} days: measured, and extrapolated to ${grouped(installed)} by bytes`,
    table(['table', 'rows', 'heap', 'indexes', 'toast', 'bytes a row', `GB at ${grouped(installed)}`], rows),
    `Scans with their runs: ${sum(scans).toFixed(1)} GB, ${grouped(perScan)} bytes a scan. Everything else: ${sum(others).toFixed(2)} GB. ` +
      `Together ${sum(tables).toFixed(1)} GB.`,
    pageTable(results.pages),
  ].join('\n\n');
}

function pageTable(pages: readonly PageTime[]): string {
  const rows = pages
    .toSorted((a, b) => growthOf(b) - growthOf(a))
    .map(({ pages, request, milliseconds, cpuMilliseconds }) => [
      request,
      pages.length === 1 ? pages[0]! : `${pages.length} pages`,
      ...milliseconds.map(each => each.toFixed(1)),
      timesOf(milliseconds).toFixed(2),
      ...cpuMilliseconds.map(each => each.toFixed(1)),
      timesOf(cpuMilliseconds).toFixed(2),
    ]);
  const of = ['after a day', 'at the end', 'times'];
  const head = [
    'request of the dashboard',
    'page',
    ...of.map(each => `ms ${each}`),
    ...of.map(each => `CPU ms ${each}`),
  ];
  return table(head, rows);
}
