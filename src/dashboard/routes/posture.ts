import type { Api } from '../../http/api.ts';
import type { DashboardServices } from '../services.ts';
import { countFindingsRoute } from './findings/count.ts';
import { exportFindingsRoute } from './findings/export.ts';
import { listFindingsRoute } from './findings/list.ts';
import { readFindingRoute } from './findings/read.ts';
import { triageFindingsRoute } from './findings/triage.ts';
import { verifyFindingRoute } from './findings/verify.ts';
import { changeViewRoute } from './views/change.ts';
import { createViewRoute } from './views/create.ts';
import { deleteViewRoute } from './views/delete.ts';
import { listViewsRoute } from './views/list.ts';

/** What is scanned, and what was found. */
export function addPostureRoutes(app: Api, services: DashboardServices): void {
  listFindingsRoute(app);
  countFindingsRoute(app);
  exportFindingsRoute(app, services);
  readFindingRoute(app, services);
  triageFindingsRoute(app);
  verifyFindingRoute(app);
  listViewsRoute(app);
  createViewRoute(app);
  changeViewRoute(app);
  deleteViewRoute(app);
}
