import type { PostgresCapture } from '../../../captures/postgres.ts';
import { type DetectionBuilder, detecting, quoted } from '../../detection.ts';
import type { Detector } from '../../detector.ts';
import { databaseSubject } from '../database-subject.ts';
import { isOfProvider, providerOf } from '../provider.ts';
import { observeEach, rowsOf } from '../reading.ts';
import { accessChecks as checks } from './checks.ts';
import { detectHba } from './hba.ts';

/** Client authentication, and the privileges of PUBLIC. */
export const postgresAccessDetector: Detector<PostgresCapture> = {
  name: 'postgres.access',
  surface: 'postgres',
  checks: Object.values(checks),
  perSubject: databaseSubject([checks.publicCreate, checks.publicWrite]),
  detect: detecting((found, capture) => {
    const provider = providerOf(capture);
    detectHba(found, capture);
    const kinds = rowsOf(found, [checks.md5Hash], capture.password_kinds);
    observeEach(
      found,
      checks.md5Hash,
      kinds
        .filter(({ role, kind }) => kind === 'md5' && !isOfProvider(provider, role))
        .map(({ role }) => ({
          locator: `role ${role}`,
          seen: `The password of the role ${quoted(role, 80)} is stored as MD5.`,
        })),
    );
    const schemas = rowsOf(found, [checks.publicCreate], capture.schemas);
    observeEach(
      found,
      checks.publicCreate,
      schemas
        .filter(({ name, public_may_create }) => public_may_create && !provider?.schemas.includes(name))
        .map(({ name }) => ({
          locator: `schema ${name}`,
          seen: `PUBLIC has CREATE on the schema ${quoted(name, 80)}.`,
        })),
    );
    detectPublicWrite(found, capture);
  }),
};

function detectPublicWrite(found: DetectionBuilder, capture: PostgresCapture): void {
  const provider = providerOf(capture);
  const places = rowsOf(found, [checks.publicWrite], capture.relations).flatMap(relation => {
    const { schema, name, access, row_security } = relation;
    const everyone = access.find(({ role }) => role === 'PUBLIC');
    // With row security, policies restrict access to rows, but not TRUNCATE.
    const open = everyone?.truncate || (everyone?.write && !row_security);
    if (!open || provider?.schemas.includes(schema)) return [];
    const seen = `PUBLIC may change ${quoted(`${schema}.${name}`, 140)}${row_security ? ' by TRUNCATE' : ''}.`;
    return [{ locator: `${relation.kind} ${schema}.${name}`, seen }];
  });
  observeEach(found, checks.publicWrite, places);
}
