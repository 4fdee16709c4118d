import type { Command } from 'commander';
import { allDetectors } from '../../detectors/catalogue.ts';
import type { DetectorDescription } from '../../domain/check-description.ts';
import { checkDocument } from '../check-document.ts';
import { ConfigurationError } from '../configuration-error.ts';

export function addChecks(program: Command): void {
  program
    .command('checks')
    .description('list all checks')
    .option('--format <format>', 'output format: list, json or markdown', 'list')
    .action(({ format }: { format: string }) => {
      const write = formats[format];
      if (!write) throw new ConfigurationError(`--format must be one of ${Object.keys(formats).join(', ')}`);
      process.stdout.write(write(allDetectors()));
    });
}

const formats: Record<string, (detectors: readonly DetectorDescription[]) => string> = {
  list: detectors =>
    detectors
      .flatMap(({ checks }) => checks)
      .map(({ id, severity, title }) => `${severity.padEnd(8)}  ${id.padEnd(44)}  ${title}\n`)
      .join(''),
  json: detectors => {
    const checks = detectors.flatMap(detector =>
      detector.checks.map(({ id, title, severity, why, remediation, references, safeguards }) => ({
        id,
        surface: detector.surface,
        detector: detector.name,
        severity,
        title,
        why,
        remediation,
        references,
        safeguards,
      })),
    );
    return `${JSON.stringify({ checks }, null, 2)}\n`;
  },
  markdown: checkDocument,
};
