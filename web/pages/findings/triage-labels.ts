import type { TriageDecision } from '../../../src/contract/dashboard/findings.ts';

export type TriageAction = TriageDecision['decision'];

interface Labels {
  readonly button: string;
  readonly meaning: string;
  /** The dialog's title and button. @param what `finding`, or `3 findings` */
  readonly title: (what: string) => string;
  /** The notification. @param what `Finding`, or `3 findings` */
  readonly done: (what: string) => string;
}

export const triageLabels: Readonly<Record<TriageAction, Labels>> = {
  accepted: {
    button: 'Accept until…',
    meaning: 'Accept the risk until a date. The finding then reopens automatically.',
    title: what => `Accept ${what}`,
    done: what => `${what} accepted`,
  },
  false_positive: {
    button: 'False positive…',
    meaning: 'Not a real problem. Stays closed if reported again.',
    title: what => `Mark ${what} as false positive`,
    done: what => `${what} marked as false positive`,
  },
  reopened: {
    button: 'Reopen…',
    meaning: 'Undoes the last triage decision. Stays open until a scan no longer detects it.',
    title: what => `Reopen ${what}`,
    done: what => `${what} reopened`,
  },
};
