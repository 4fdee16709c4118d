import type { Attestation, Control, ControlMatrix } from '../../contract/dashboard/controls.ts';
import type { TenantSession } from '../../database/tenant-store.ts';
import type { DetectorDescription } from '../../domain/check-description.ts';
import { factsOfControls, mapChecks } from '../../domain/control-checks.ts';
import { reasonText } from '../../domain/control-reasons.ts';
import { type ControlFacts, judgeControls } from '../../domain/control-states.ts';
import { securityRule } from '../../domain/security-rule.ts';
import { newestAttestations } from '../../resources/controls/attestations.ts';
import { factsByCheck, sourceScope } from '../../resources/controls/facts.ts';
import { currentNotes } from '../../resources/controls/notes.ts';

/**
 * Every control of the Security Rule with its current state.
 *
 * @param results of every check, the slowest read; passed by callers that also need them
 */
export async function readMatrix(
  session: TenantSession,
  detectors: readonly DetectorDescription[],
  results = factsByCheck(session),
): Promise<ControlMatrix> {
  const [stored, scope, newest, notes, [clock]] = await Promise.all([
    results,
    sourceScope(session),
    newestAttestations(session),
    currentNotes(session),
    session.query<{ now: string }>({ text: 'select now()::timestamptz(3) as now' }),
  ]);
  const attestations = new Map(newest.map(attestation => [attestation.control, attestation]));
  const facts = factsOfControls(mapChecks(detectors), {
    checks: stored,
    scope,
    attestationOf: citation => {
      const attestation = attestations.get(citation);
      return attestation ? attestationStatus(attestation) : 'none';
    },
  });
  const judged = judgeControls(facts);
  const sections = securityRule.map(({ citation, title, controls }) => ({
    citation,
    title,
    controls: controls.map((control): Control => {
      const { checks } = facts.get(control.citation)!;
      const { state, reasons } = judged.get(control.citation)!;
      return {
        ...control,
        state,
        reasons: reasons.map(reasonText),
        checks: checks.length,
        showing: checks.filter(({ effect }) => effect === 'shows').length,
        open: checks.reduce((sum, { open }) => sum + open, 0),
        accepted: checks.reduce((sum, { accepted }) => sum + accepted, 0),
        attested_until: attestations.get(control.citation)?.valid_until ?? null,
        has_note: notes.has(control.citation),
      };
    }),
  }));
  const all = sections.flatMap(({ controls }) => controls);
  const count = (state: Control['state']) => all.filter(control => control.state === state).length;
  return {
    assessed_at: clock!.now,
    totals: {
      supported: count('supported'),
      attention: count('attention'),
      attested: count('attested'),
      not_assessed: count('not_assessed'),
      not_applicable: count('not_applicable'),
    },
    sections,
  };
}

function attestationStatus({ state, applies, evidence }: Attestation): ControlFacts['attestation'] {
  if (state !== 'current') return 'expired';
  if (!applies) return 'inapplicable';
  if (evidence.length === 0) return 'bare';
  // Scan results count through their checks. A snapshot of a scan proves nothing more.
  return evidence.some(({ kind }) => kind === 'file') ? 'evidenced' : 'unproven';
}
