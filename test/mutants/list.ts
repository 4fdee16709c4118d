import { clientMutants } from './list/clients.ts';
import { controlMutants } from './list/controls.ts';
import { credentialMutants } from './list/credentials.ts';
import { deletionMutants } from './list/deletion.ts';
import { eventMutants } from './list/events.ts';
import { guardMutants } from './list/guard.ts';
import { idempotencyMutants } from './list/idempotency.ts';
import { keptRowMutants } from './list/kept-rows.ts';
import { notificationMutants } from './list/notifications.ts';
import { operationMutants } from './list/operation.ts';
import { peopleMutants } from './list/people.ts';
import { privilegeMutants } from './list/privileges.ts';
import { probeMutants } from './list/probes.ts';
import { scanMutants } from './list/scans.ts';
import { shieldMutants } from './list/shield.ts';
import { signedRequestMutants } from './list/signed-requests.ts';
import { targetMutants } from './list/targets.ts';
import { tenancyMutants } from './list/tenancy.ts';
import { triageMutants } from './list/triage.ts';
import { waitingEventMutants } from './list/waiting-events.ts';
import type { Mutant } from './mutant.ts';

/** Neighbors share test files, whose modules are transformed once. */
export const mutants: readonly Mutant[] = [
  ...guardMutants,
  ...signedRequestMutants,
  ...privilegeMutants,
  ...tenancyMutants,
  ...eventMutants,
  ...targetMutants,
  ...credentialMutants,
  ...notificationMutants,
  ...scanMutants,
  ...triageMutants,
  ...keptRowMutants,
  ...deletionMutants,
  ...idempotencyMutants,
  ...peopleMutants,
  ...controlMutants,
  ...probeMutants,
  ...waitingEventMutants,
  ...shieldMutants,
  ...operationMutants,
  ...clientMutants,
];
