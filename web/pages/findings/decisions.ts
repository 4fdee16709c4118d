import type { TriageDecision } from '../../../src/contract/dashboard/findings.ts';

export type DecisionKind = TriageDecision['decision'];

/** Of a decision: what it is called where it is taken, and what it does. */
export const decisionWords: Record<DecisionKind, { act: string; done: string; meaning: string }> = {
  accepted: {
    act: 'Accept until…',
    done: 'accepted',
    meaning: 'You take the risk until a date. It then opens again by itself.',
  },
  false_positive: {
    act: 'False positive…',
    done: 'marked as false positive',
    meaning: 'What was seen is not a flaw. It stays closed however often it is seen.',
  },
  reopened: {
    act: 'Reopen…',
    done: 'reopened',
    meaning: 'An earlier decision no longer holds. It is open for as long as it is seen.',
  },
};
