import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreFullDisk } from '../agent/spool-files.ts';
import { writeAtomically } from '../agent/write-atomically.ts';
import type { Heartbeat } from '../contract/probe-events.ts';
import type { Target } from './configuration.ts';
import type { FactTimes, KnownFacts } from './drift.ts';

/** What the probe remembers of a target. */
export interface TargetMemory {
  readonly state: Heartbeat['targets'][number]['state'];
  readonly errorCode?: NonNullable<Heartbeat['targets'][number]['error_code']>;
  /** Time of the last assessment, by the service's clock; null before the first one. */
  readonly checkedAt: string | null;
  readonly latencyMs: number;
  /** Places and pages where checks failed last time: they are assessed again, as in a scan by the service. */
  readonly openPlaces: readonly string[];
  readonly openSubjects: readonly string[];
  /** Hashes by area and name. */
  readonly facts?: KnownFacts;
  /** Facts of another form are not compared. */
  readonly factsForm?: number;
  /** When each area was last assessed, by the service's clock. */
  readonly factsAt?: FactTimes;
}

export const unseen: TargetMemory = {
  state: 'waiting',
  checkedAt: null,
  latencyMs: 0,
  openPlaces: [],
  openSubjects: [],
};

interface StoredMemory extends TargetMemory {
  /** What was assessed: for the same source, another host may be configured later. */
  readonly identity: string;
}

type Identified = Pick<Target, 'sourceId' | 'kind' | 'host' | 'database'>;

const identityOf = ({ kind, host, database }: Identified) =>
  [kind, host, ...(database === undefined ? [] : [database])].join(' ');

interface Remembered {
  /** Identifies this installation of the probe. */
  readonly instance: string;
  /** Secrets in names are masked with it. It stays here, so that masks cannot be compared with guesses. */
  readonly maskKey: string;
  clockOffset: number | null;
  /** By the id of the source. */
  targets: Record<string, StoredMemory>;
}

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isMaskKey = /^[0-9a-f]{64}$/;
export const newMaskKey = () => randomBytes(32).toString('hex');

const isTexts = (value: unknown) => Array.isArray(value) && value.every(text => typeof text === 'string');

function isNamedMemory(entry: [string, unknown]): entry is [string, StoredMemory] {
  const { identity, state, checkedAt, latencyMs, openPlaces, openSubjects, facts, factsAt } = Object(
    entry[1],
  ) as StoredMemory;
  return (
    typeof identity === 'string' &&
    ['waiting', 'ok', 'failing'].includes(state) &&
    (checkedAt === null || !Number.isNaN(Date.parse(checkedAt))) &&
    Number.isSafeInteger(latencyMs) &&
    isTexts(openPlaces) &&
    isTexts(openSubjects) &&
    [facts, factsAt].every(known => known === undefined || Object(known) === known)
  );
}

/** The memory of a probe between its starts, in one file that is replaced as a whole. */
export class ProbeState {
  readonly #path: string;
  readonly #remembered: Remembered;

  private constructor(path: string, remembered: Remembered) {
    this.#path = path;
    this.#remembered = remembered;
  }

  /** A missing or damaged file is a new beginning: everything is assessed again. So is what is damaged in it. */
  static async open(folder: string): Promise<ProbeState> {
    const path = join(folder, 'state.json');
    const remembered = await readFile(path, 'utf8')
      .then(
        text => JSON.parse(text) as Partial<Remembered>,
        () => ({}),
      )
      .catch(() => ({}) as Partial<Remembered>);
    const { instance, maskKey, clockOffset, targets } = Object(remembered) as Partial<Remembered>;
    return new ProbeState(path, {
      instance: isUuid.test(String(instance)) ? instance! : randomUUID(),
      maskKey: isMaskKey.test(String(maskKey)) ? maskKey! : newMaskKey(),
      clockOffset: Number.isSafeInteger(clockOffset) ? clockOffset! : null,
      targets: Object.fromEntries(Object.entries(Object(targets)).filter(isNamedMemory)),
    });
  }

  get instance(): string {
    return this.#remembered.instance;
  }

  get maskKey(): string {
    return this.#remembered.maskKey;
  }

  get clockOffset(): number | null {
    return this.#remembered.clockOffset;
  }

  of(target: Identified): TargetMemory {
    const { targets } = this.#remembered;
    const stored = Object.hasOwn(targets, target.sourceId) ? targets[target.sourceId] : undefined;
    return stored?.identity === identityOf(target) ? stored : unseen;
  }

  async remember(target: Identified, memory: TargetMemory): Promise<void> {
    this.#remembered.targets[target.sourceId] = { ...memory, identity: identityOf(target) };
    await this.#save();
  }

  /** Forgets targets that are no longer configured. */
  async keepOnly(targets: readonly Identified[]): Promise<void> {
    const configured = new Set(targets.map(({ sourceId }) => sourceId));
    for (const sourceId of Object.keys(this.#remembered.targets)) {
      if (!configured.has(sourceId)) delete this.#remembered.targets[sourceId];
    }
    await this.#save();
  }

  async rememberClock(offset: number | null): Promise<void> {
    if (offset === this.#remembered.clockOffset) return;
    this.#remembered.clockOffset = offset;
    await this.#save();
  }

  async #save(): Promise<void> {
    // On a full disk, the next save has everything.
    await writeAtomically(this.#path, JSON.stringify(this.#remembered)).catch(ignoreFullDisk);
  }
}
