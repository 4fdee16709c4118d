import type { Family } from '../case.ts';
import { rightsCases } from './postgres/rights.ts';
import { servedCases } from './postgres/served.ts';
import { settingsCases } from './postgres/settings.ts';

export const postgresFamily: Family = {
  name: 'postgres',
  cases: [...rightsCases, ...settingsCases, ...servedCases],
};
