import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { listAssessments } from '../../src/resources/findings/check-assessments.ts';
import { type Decision, decide, expireAcceptance } from '../../src/resources/findings/triage.ts';
import type { Inspection } from '../../src/scan/inspection.ts';
import { reconcileAndSave } from '../../src/worker/tasks/inspect-source.ts';
import { type AuthorizedSource, authorizedSource, queuedScan } from '../support/authorized-source.ts';
import { type SharedService, sharedService } from '../support/service.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const checks = ['tls.a', 'csp.b'] as const;
const flaws = ['tls.a|x', 'tls.a|y', 'csp.b|x'] as const;
type Flaw = (typeof flaws)[number];
const checkOf = (flaw: Flaw) => flaw.split('|')[0]!;

type Outcome = 'passed' | 'observed' | 'not_assessed';
type Step =
  | { kind: 'look'; seen: Flaw[]; high: Flaw[]; assessed: string[]; late: boolean; verifies: string | null }
  | { kind: 'decide'; flaw: Flaw; decision: Decision['decision'] }
  | { kind: 'expire'; flaw: Flaw };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('look' as const),
      seen: fc.subarray([...flaws]),
      high: fc.subarray([...flaws]),
      assessed: fc.subarray([...checks]),
      late: fc.boolean(),
      verifies: fc.option(fc.constantFrom(...checks), { freq: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      flaw: fc.constantFrom(...flaws),
      decision: fc.constantFrom('accepted', 'false_positive', 'reopened'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('expire' as const), flaw: fc.constantFrom(...flaws) }),
  },
);

/** The expected state of one flaw, tracked without the database. */
interface Expected {
  observed: boolean;
  triage: 'accepted' | 'false_positive' | null;
  high: boolean;
  /** Its severity at the last triage. */
  decidedHigh: boolean;
  /** The number of episodes; the last one is open while the flaw is observed. */
  episodes: number;
  decisions: string[];
}

function inspectionOf(look: Extract<Step, { kind: 'look' }>): Inspection {
  const outcomeOf = (check: string): Outcome =>
    look.seen.some(flaw => checkOf(flaw) === check)
      ? 'observed'
      : look.assessed.includes(check)
        ? 'passed'
        : 'not_assessed';
  return {
    runs: [],
    assessed: new Set(look.assessed),
    places: new Map(),
    covered: new Map(),
    outcomes: checks.map(check => {
      const outcome = outcomeOf(check);
      return { check, outcome, reason: outcome === 'not_assessed' ? 'It did not answer.' : null };
    }),
    seen: look.seen.map(flaw => ({
      fingerprint: flaw,
      formerFingerprints: [],
      category: checkOf(flaw),
      locator: flaw,
      subject: null,
      severity: look.high.includes(flaw) ? 'high' : 'low',
      title: 't',
      remediation: 'r',
      seen: 's',
      hipaa: false,
    })),
  };
}

/** The database and the expectation, driven by the same steps. */
class Life {
  readonly #source: AuthorizedSource;
  readonly #scanId: string;
  readonly #expected = new Map<Flaw, Expected>();
  readonly #looks = new Map<string, { at: number; outcome: Outcome }>();
  #now = Date.parse('2026-01-01T00:00:00Z');

  constructor(source: AuthorizedSource, scanId: string) {
    this.#source = source;
    this.#scanId = scanId;
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'look') await this.#look(step);
    else if (step.kind === 'decide') await this.#decide(step.flaw, step.decision);
    else await this.#expire(step.flaw);
  }

  async #look(look: Extract<Step, { kind: 'look' }>): Promise<void> {
    this.#now += 60_000;
    const at = look.late ? this.#now - 90_000 : this.#now;
    const { store, sourceId, systemId } = this.#source;
    const inspection = inspectionOf(look);
    await store.transaction(transaction =>
      reconcileAndSave(
        transaction,
        {
          source: { id: sourceId, system_id: systemId },
          scanId: this.#scanId,
          lookedAt: new Date(at).toISOString(),
          category: look.verifies,
        },
        inspection,
        [],
      ),
    );
    for (const { check, outcome } of inspection.outcomes) {
      if (look.verifies !== null && check !== look.verifies) continue;
      const last = this.#looks.get(check);
      if (last && last.outcome !== 'not_assessed' && last.at > at) continue;
      this.#looks.set(check, { at, outcome: outcome as Outcome });
      for (const flaw of flaws.filter(one => checkOf(one) === check)) {
        this.#observe(flaw, look);
      }
    }
  }

  #observe(flaw: Flaw, look: Extract<Step, { kind: 'look' }>): void {
    const known = this.#expected.get(flaw);
    const high = look.high.includes(flaw);
    if (!look.seen.includes(flaw)) {
      if (known && look.assessed.includes(checkOf(flaw))) known.observed = false;
      return;
    }
    if (!known) {
      const never = { triage: null, decidedHigh: false, decisions: [] };
      this.#expected.set(flaw, { observed: true, high, episodes: 1, ...never });
      return;
    }
    if (!known.observed) known.episodes += 1;
    Object.assign(known, { observed: true, high });
    if (known.triage === null || !high || known.decidedHigh) return;
    Object.assign(known, { triage: null, decidedHigh: true });
    known.decisions.push('reopened');
  }

  async #idOf(flaw: Flaw): Promise<string | undefined> {
    const rows = await this.#source.store.queryOnce<{ id: string }>({
      text: 'select id from findings where fingerprint = $1',
      values: [flaw],
    });
    return rows[0]?.id;
  }

  async #decide(flaw: Flaw, kind: Decision['decision']): Promise<void> {
    const id = await this.#idOf(flaw);
    const known = this.#expected.get(flaw);
    if (!id || !known) return;
    const until = new Date(Date.now() + 86_400_000);
    const decision: Decision =
      kind === 'accepted' ? { decision: kind, reason: 'r', until } : { decision: kind, reason: 'r' };
    await this.#source.person.transaction(transaction => decide(transaction, [id], decision));
    Object.assign(known, { triage: kind === 'reopened' ? null : kind, decidedHigh: known.high });
    known.decisions.push(kind);
  }

  /** Expires the acceptance. */
  async #expire(flaw: Flaw): Promise<void> {
    const id = await this.#idOf(flaw);
    const known = this.#expected.get(flaw);
    if (!id || !known) return;
    const ended = await this.#source.store.transaction(async transaction => {
      await transaction.query({
        text: `update findings set accepted_until = now() - interval '1 minute' where id = $1 and triage = 'accepted'`,
        values: [id],
      });
      return expireAcceptance(transaction, id);
    });
    expect(ended).toBe(known.triage === 'accepted');
    if (!ended) return;
    known.triage = null;
    known.decisions.push('expired');
  }

  async check(): Promise<void> {
    const { store } = this.#source;
    const findings = await store.queryOnce<{
      flaw: Flaw;
      status: string;
      episodes: string;
      decisions: string;
    }>({
      text: `select f.fingerprint as flaw, f.status,
          (select string_agg(e.number || case when e.closed_at is null then ' open' else '' end, ',' order by e.number)
            from finding_episodes e where e.finding_id = f.id) as episodes,
          (select coalesce(string_agg(d.number || ' ' || d.decision, ',' order by d.number), '')
            from finding_decisions d where d.finding_id = f.id) as decisions
        from findings f`,
    });
    const stored = Object.fromEntries(findings.map(({ flaw, ...rest }) => [flaw, rest]));
    const expected = Object.fromEntries(
      [...this.#expected].map(([flaw, { observed, triage, episodes, decisions }]) => [
        flaw,
        {
          status: observed ? (triage ?? 'open') : 'resolved',
          // Numbered from 1, and the last one is open if and only if the flaw is observed.
          episodes: Array.from({ length: episodes }, (_, index) =>
            index === episodes - 1 && observed ? `${index + 1} open` : `${index + 1}`,
          ).join(','),
          decisions: decisions.map((decision, index) => `${index + 1} ${decision}`).join(','),
        },
      ]),
    );
    expect(stored).toEqual(expected);
    const assessments = await store.read(session => listAssessments(session, this.#source.sourceId));
    expect(Object.fromEntries(assessments.map(({ check, outcome }) => [check, outcome]))).toEqual(
      Object.fromEntries([...this.#looks].map(([check, { outcome }]) => [check, outcome])),
    );
    if (this.#looks.size > 0) await this.#checkPosture(findings);
  }

  /** The score counts open findings, whatever led there. */
  async #checkPosture(findings: readonly { flaw: Flaw; status: string }[]): Promise<void> {
    const open = findings.filter(({ status }) => status === 'open').map(({ flaw }) => flaw);
    const isHigh = (flaw: Flaw) => this.#expected.get(flaw)!.high;
    const [posture] = await this.#source.store.queryOnce<{ high: number; low: number }>({
      text: 'select high, low from posture_scores',
    });
    const high = open.filter(isHigh).length;
    expect(posture).toEqual({ high, low: open.length - high });
  }
}

it('keeps a consistent state and history through any sequence of scans, triage and expiry', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async steps => {
      const source = await authorizedSource(service);
      const life = new Life(source, await queuedScan(source));
      for (const one of steps) await life.take(one);
      await life.check();
    }),
    { numRuns: 40 },
  );
});
