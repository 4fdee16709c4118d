import type { OrganizationSize, Sizes } from '../../resources/installation/sizes.ts';
import { readableSize, textTable } from '../text-table.ts';

/** Lines of each list in the text; JSON has all. */
const most = 20;

/** As JSON prints it. */
export function sizesDocument({ tables, organizations, ...whole }: Sizes) {
  return {
    database_bytes: whole.bytes,
    job_queue_bytes: whole.jobBytes,
    write_ahead_log_bytes: whole.walBytes,
    tables: tables.map(({ name, bytes, indexBytes, rows, sampled }) => ({
      table: name,
      bytes,
      index_bytes: indexBytes,
      rows: rows ?? null,
      rows_estimated: sampled ?? null,
    })),
    organizations:
      organizations?.map(({ id, name, bytes, rows, tables }) => ({
        organization_id: id,
        name,
        bytes_estimated: bytes,
        rows,
        tables: tables.map(({ name, bytes, rows }) => ({ table: name, bytes_estimated: bytes, rows })),
      })) ?? null,
  };
}

export function sizesText({ bytes, jobBytes, walBytes, tables, organizations }: Sizes): string {
  const log = walBytes === null ? '' : `. Write-ahead log: ${readableSize(walBytes)}`;
  return [
    `Database: ${readableSize(bytes)}, including ${readableSize(jobBytes)} for the job queue${log}`,
    '',
    ...tableLines(tables),
    '',
    ...(organizations
      ? organizationLines(organizations, bytes)
      : ['Organizations are measured with the role that owns the database only (DATABASE_DIRECT_URL).']),
  ].join('\n');
}

function tableLines(tables: Sizes['tables']): string[] {
  const rows = tables
    .slice(0, most)
    .map(({ name, bytes, indexBytes, rows, sampled }) => [
      name,
      readableSize(bytes),
      readableSize(indexBytes),
      rows === undefined ? '' : `${sampled ? '~' : ''}${grouped(rows)}`,
    ]);
  const others = tables.slice(most);
  const rest = others.reduce((sum, table) => sum + table.bytes, 0);
  return [
    ...textTable([['table', 'size', 'indexes', 'rows'], ...rows], { right: [1, 2, 3] }),
    ...(others.length > 0 ? [`${others.length} more: ${readableSize(rest)}`] : []),
  ];
}

function organizationLines(organizations: readonly OrganizationSize[], whole: number): string[] {
  const rows = organizations
    .slice(0, most)
    .map(({ id, name, bytes, rows, tables }) => [
      id,
      `~${readableSize(bytes)}`,
      `${Math.round((100 * bytes) / whole)}%`,
      grouped(rows),
      tables[0]?.name ?? '',
      name,
    ]);
  const others = organizations.length - rows.length;
  return [
    ...textTable([['organization', 'size', 'share', 'rows', 'most in', 'name'], ...rows], {
      right: [1, 2, 3],
    }),
    ...(others > 0 ? [`${others} more: --json lists all`] : []),
    '',
    'Sizes of organizations are estimates: the size of each table, indexes included, divided by the sizes of their values.',
    'Rows of tables of up to 8 MB are counted. Of larger ones, 8 MB are sampled, and the rows are estimates (~).',
  ];
}

const grouped = (count: number) => count.toLocaleString('en-US');
