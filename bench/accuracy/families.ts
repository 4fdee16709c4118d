import type { Family } from './case.ts';
import { corsFamily } from './cases/cors.ts';
import { exposureFamily } from './cases/exposure.ts';
import { headersFamily } from './cases/headers.ts';
import { injectionFamily } from './cases/injection.ts';
import { librariesFamily } from './cases/libraries.ts';
import { mysqlFamily } from './cases/mysql.ts';
import { postgresFamily } from './cases/postgres.ts';
import { redisFamily } from './cases/redis.ts';
import { secretsFamily } from './cases/secrets.ts';
import { softwareFamily } from './cases/software.ts';

/** In the order of the report. */
export const families: readonly Family[] = [
  headersFamily,
  corsFamily,
  injectionFamily,
  librariesFamily,
  postgresFamily,
  mysqlFamily,
  redisFamily,
  secretsFamily,
  softwareFamily,
  exposureFamily,
];
