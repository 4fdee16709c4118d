import type { System } from '../../../src/contract/systems.ts';

export const environmentLabels: Record<System['environment'], string> = {
  production: 'Production',
  staging: 'Staging',
  development: 'Development',
  test: 'Test',
};

export const kindLabels: Record<System['kind'], string> = {
  application: 'Application',
  site: 'Site',
  api: 'API',
};
