import type { App } from '../../http/app.ts';
import type { ApiServices } from '../services.ts';
import { listFindingsRoute } from './findings/list.ts';
import { readFindingRoute } from './findings/read.ts';
import { ingestRoute } from './ingest/events.ts';
import { listScansRoute } from './scans/list.ts';
import { readScanRoute } from './scans/read.ts';
import { requestScanRoute } from './scans/request.ts';
import { acceptRiskRoute } from './sources/accept-risk.ts';
import { authorizeScanRoute } from './sources/authorize-scan.ts';
import { createSourceRoute } from './sources/create.ts';
import { disconnectSourceRoute } from './sources/disconnect.ts';
import { listSourcesRoute } from './sources/list.ts';
import { storeCredentialRoute } from './sources/store-credential.ts';
import { testConnectionRoute } from './sources/test-connection.ts';
import { createSystemRoute } from './systems/create.ts';
import { listSystemsRoute } from './systems/list.ts';

/** The sixteen routes of the API, in the order of the specification (section 4). */
export function addRoutes(app: App, services: ApiServices): void {
  listSystemsRoute(app);
  createSystemRoute(app);
  listSourcesRoute(app);
  createSourceRoute(app);
  disconnectSourceRoute(app);
  acceptRiskRoute(app);
  storeCredentialRoute(app, services);
  testConnectionRoute(app, services);
  authorizeScanRoute(app);
  listFindingsRoute(app);
  readFindingRoute(app);
  listScansRoute(app);
  readScanRoute(app);
  requestScanRoute(app, services);
  ingestRoute(app, services, '/functions/v1/events-ingest', 'events', 'Push probe events');
  ingestRoute(app, services, '/functions/v1/shield-ingest', 'shield', 'Push Shield events');
}
