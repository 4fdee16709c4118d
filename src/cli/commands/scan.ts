import { randomUUID } from 'node:crypto';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Finding } from '../../contract/findings.ts';
import type { Scan, ScanWithRuns } from '../../contract/scans.ts';
import { severities } from '../../contract/severity.ts';
import { codeQualityIssue } from '../../formats/code-quality.ts';
import { findChanges } from '../changes.ts';
import { changesMarkdown } from '../changes-markdown.ts';
import { Client } from '../client.ts';
import { ClientError } from '../client-error.ts';
import { checksPageOf, type DescribeCheck, findingPageOf } from '../describe-check.ts';
import { findingsSarif } from '../findings-sarif.ts';
import { findingsTable } from '../findings-table.ts';
import { followScan, ScanTimeout } from '../follow-scan.ts';
import { scanProgress } from '../progress.ts';
import { describeTarget, readFindings, type Target } from '../read-lists.ts';
import { requestJson } from '../request-json.ts';
import { type DescribeCause, describeOutcome, exitStatus, statusOf } from '../scan-outcome.ts';
import { readClientSettings } from '../settings.ts';
import { colorsFor, columnsOf, forTerminal } from '../terminal.ts';

interface Options {
  readonly system?: string;
  readonly source?: string;
  readonly wait?: boolean;
  readonly failOn?: string;
  readonly format: string;
  readonly summary?: string;
  readonly idempotencyKey?: string;
  readonly timeout: string;
}

/** Provided by the program: the client does not depend on the detectors. */
export interface ScanCommandParts {
  readonly describe: DescribeCheck;
  readonly describeCause: DescribeCause;
  readonly version: string;
}

export function addScan(program: Command, parts: ScanCommandParts): void {
  program
    .command('scan')
    .description('scan a system or a source and report open findings')
    .option('--system <id>', 'scan all authorized sources of this system')
    .option('--source <id>', 'scan this source')
    .option('--wait', 'wait for the scan to finish and report its findings')
    .option(
      '--fail-on <severity>',
      `exit with status 1 for open findings of this severity or higher: ${severities.join(', ')}`,
    )
    .option('--format <format>', 'output format: table, json, sarif or codequality (GitLab)', 'table')
    .option('--summary <file>', 'write what is new, reopened and resolved to this file, as Markdown')
    .option(
      '--idempotency-key <key>',
      'return the existing scan for a key that was used before (default: random)',
    )
    .option('--timeout <seconds>', 'maximum wait', '900')
    .addHelpText(
      'after',
      [
        '',
        '--fail-on, --summary, and --format sarif and codequality imply --wait.',
        'Prints the report to standard output and progress to standard error.',
        'Exit status: 0 success; 1 open findings at or above --fail-on; 2 usage or service error;',
        '3 incomplete scan: the scan or a run failed, was canceled or timed out.',
        'Checks that were not assessed do not change the exit status. The dashboard lists them.',
        'Environment: see `parapet call --help`.',
      ].join('\n'),
    )
    // Commander exits with 1 for usage errors, which means findings here.
    .exitOverride(error => process.exit(error.exitCode === 0 ? exitStatus.success : exitStatus.error))
    .action(async (options: Options) => {
      try {
        process.exitCode = await scan(options, parts);
      } catch (error) {
        process.exitCode = error instanceof ScanTimeout ? exitStatus.incomplete : exitStatus.error;
        const text = error instanceof ClientError ? error.message : ((error as Error | null)?.stack ?? error);
        process.stderr.write(`parapet: ${forTerminal(String(text))}\n`);
      }
    });
}

async function scan(options: Options, parts: ScanCommandParts): Promise<number> {
  const target = readTarget(options);
  const format = oneOf('--format', options.format, ['table', 'json', 'sarif', 'codequality'] as const);
  const failOn = options.failOn === undefined ? undefined : oneOf('--fail-on', options.failOn, severities);
  const timeoutMs = readTimeout(options.timeout);
  const client = new Client(readClientSettings(process.env));
  const summary = options.summary === undefined ? undefined : await createFile(options.summary);
  const before = summary && (await readFindings(client, target, 'open'));
  const idempotency_key = options.idempotencyKey ?? randomUUID();
  const { scan: requested } = await requestJson<{ scan: Scan }>(client, 'POST', '/api/v1/scans', {
    body: { [`${target.kind}_id`]: target.id, idempotency_key },
    repeatable: true,
  });
  if (!options.wait && !failOn && !summary && (format === 'table' || format === 'json')) {
    process.stdout.write(
      format === 'json'
        ? `${forTerminal(JSON.stringify({ scan: requested }))}\n`
        : forTerminal(
            `Scan ${requested.id} is ${requested.status}. To check its status: parapet call GET /api/v1/scans/${requested.id}\n`,
          ),
    );
    return exitStatus.success;
  }
  const progress = scanProgress(process.stderr);
  const ended = await followScan(client, requested.id, { progress, timeoutMs });
  const findings = await readFindings(client, target, 'open');
  const { url } = client.settings;
  const checksPage = checksPageOf(url);
  const findingPage = (id: string) => findingPageOf(url, id);
  let described: ReturnType<typeof describeTarget> | undefined;
  const describe = () => (described ??= describeTarget(client, target));
  if (summary) await summarize(summary);
  process.stdout.write(await report(format, ended, findings));
  return statusOf(ended, findings, failOn);

  async function summarize(file: FileHandle): Promise<void> {
    // A reused scan may have changed findings before they were read here.
    const known = requested.status === 'queued' ? before : undefined;
    const changes = await findChanges(client, target, requested, known, findings);
    const options = {
      scan: ended,
      target: await describe(),
      open: findings,
      checksPage,
      findingPage,
      ...parts,
    };
    await file.writeFile(changesMarkdown(changes, options));
    await file.close();
  }

  async function report(as: typeof format, result: ScanWithRuns, open: Finding[]): Promise<string> {
    if (as === 'json') {
      const explained = open.map(finding => ({
        ...finding,
        read_more: `${checksPage}#${finding.category}`,
        dashboard_url: findingPage(finding.id),
      }));
      return `${forTerminal(JSON.stringify({ scan: result, findings: explained }))}\n`;
    }
    if (as === 'sarif') {
      const sarif = findingsSarif(open, {
        scan: result,
        target: await describe(),
        checksPage,
        findingPage,
        ...parts,
      });
      return `${forTerminal(JSON.stringify(sarif, null, 2))}\n`;
    }
    if (as === 'codequality') {
      const place = await describe();
      const issues = open.map(finding => codeQualityIssue(finding, place));
      return `${forTerminal(JSON.stringify(issues, null, 2))}\n`;
    }
    const colors = colorsFor(process.stdout, process.env);
    const columns = columnsOf(process.stdout);
    const table = findingsTable(open, { colors, columns, checksPage, findingPage, ...parts });
    return `${table}\n${describeOutcome(result, parts.describeCause)}\n`;
  }
}

/** Before the scan: a path that cannot be written is reported at once. */
async function createFile(path: string): Promise<FileHandle> {
  return openFile(path, 'w').catch(error => {
    throw new ClientError(`--summary: ${(error as Error).message}`);
  });
}

function readTarget({ system, source }: Options): Target {
  if ((system === undefined) === (source === undefined)) {
    throw new ClientError('specify either --system or --source');
  }
  return system === undefined ? { kind: 'source', id: source! } : { kind: 'system', id: system };
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find(candidate => candidate === value);
  if (found === undefined)
    throw new ClientError(`${name} must be one of ${allowed.join(', ')}, not ${value}`);
  return found;
}

function readTimeout(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value))
    throw new ClientError('--timeout must be a number of seconds from 1 to 999999');
  return Number(value) * 1000;
}
