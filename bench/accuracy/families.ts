import type { Family } from './case.ts';
import { cookiesFamily } from './cases/cookies.ts';
import { corsFamily } from './cases/cors.ts';
import { cspFamily } from './cases/csp.ts';
import { exposureFamily } from './cases/exposure.ts';
import { headersFamily } from './cases/headers.ts';
import { injectionFamily } from './cases/injection.ts';
import { librariesFamily } from './cases/libraries.ts';
import { mysqlFamily } from './cases/mysql.ts';
import { postgresFamily } from './cases/postgres.ts';
import { redisFamily } from './cases/redis.ts';
import { secretsFamily } from './cases/secrets.ts';
import { softwareFamily } from './cases/software.ts';
import { tlsFamily } from './cases/tls.ts';
import { transportFamily } from './cases/transport.ts';

/** In the order of the report. */
export const families: readonly Family[] = [
  headersFamily,
  cspFamily,
  cookiesFamily,
  tlsFamily,
  transportFamily,
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
