import type { Api } from '../../http/api.ts';
import type { DashboardServices } from '../services.ts';

/** Every route of the dashboard, area by area. */
export function addRoutes(_app: Api, _services: DashboardServices): void {}
