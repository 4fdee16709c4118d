import { ExportFindings, type ExportFormat } from '../../../contract/dashboard/findings.ts';
import type { App } from '../../../http/app.ts';
import { ownFilters } from '../../../resources/findings/finding-conditions.ts';
import { type ExportedFinding, exportFindings } from '../../../resources/findings/finding-export.ts';
import { checkIndex } from '../../check-index.ts';
import { dashboardAddress } from '../../dashboard-address.ts';
import { findingsCsv } from '../../exports/findings-csv.ts';
import { findingsJson } from '../../exports/findings-json.ts';
import { findingsOcsf } from '../../exports/findings-ocsf.ts';
import { findingsSarif } from '../../exports/findings-sarif.ts';
import { sendExport } from '../../exports/send-export.ts';
import { organizationPath } from '../../organization-path.ts';
import type { DashboardServices } from '../../services.ts';

interface FileOptions {
  readonly checks: ReturnType<typeof checkIndex>;
  readonly checksPage: string;
  readonly version: string;
}

interface FileFormat {
  readonly extension: string;
  readonly mediaType: string;
  write(batches: AsyncIterable<ExportedFinding[]>, options: FileOptions): AsyncGenerator<string>;
}

const formats: Record<ExportFormat, FileFormat> = {
  csv: { extension: 'csv', mediaType: 'text/csv', write: findingsCsv },
  json: { extension: 'json', mediaType: 'application/json', write: findingsJson },
  sarif: { extension: 'sarif', mediaType: 'application/sarif+json', write: findingsSarif },
  ocsf: { extension: 'ocsf.jsonl', mediaType: 'application/x-ndjson', write: findingsOcsf },
};

/** Exports the filtered list as a file. */
export function exportFindingsRoute(app: App, services: DashboardServices): void {
  const checks = checkIndex(services.detectors);
  const schema = { querystring: ExportFindings };
  const config = { access: 'member', stepUp: true } as const;
  app.get(`${organizationPath}/findings/export`, { config, schema }, (request, reply) => {
    const { format, ...filters } = request.query;
    const { extension, mediaType, write } = formats[format];
    const checksPage = new URL('../docs/checks', `${dashboardAddress(services, request)}/`).href;
    const name = `findings-${new Date().toISOString().slice(0, 10)}.${extension}`;
    return sendExport(request, reply, { name, mediaType }, async () => {
      const batches = await exportFindings(
        request.store,
        request.organizationId,
        ownFilters(request.person.id, filters),
        format,
      );
      return write(batches, { checks, checksPage, version: services.version });
    });
  });
}
