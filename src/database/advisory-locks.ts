/**
 * Numbers of PostgreSQL's advisory locks, each with one meaning in a database: two with the same number would wait for each other. Those that
 * functions of the database take are in the migrations.
 */

/** One node migrates at a time. 'PRPT' as a number, like the next four. */
export const migrationLock = 1347571796;
/** Shared by transactions that store what a master key wraps; a rotation waits for them. */
export const storingLock = 1347571797;
/** One process rotates the master key. */
export const rotationLock = 1347571798;
/** One set-up creates the first account. */
export const setUpLock = 1347571799;
/** One process makes the scheduled backup. */
export const scheduledBackupLock = 1347571800;
/** Nothing takes it but `findLockFaults`. */
export const trialLock = 1346457936;
