import { severities } from '../../src/contract/severity.ts';
import { checkById } from '../../src/detectors/catalogue.ts';
import type { Observation } from '../../src/detectors/detector.ts';
import type { AccuracyCase, Depth } from './case.ts';

/** Counts of one case or of several. */
export interface Score {
  /** Flaws, and how many of them were found. */
  readonly flaws: number;
  readonly found: number;
  /** Findings above info, and how many of them are wrong. */
  readonly findings: number;
  readonly wrong: number;
}

export interface CaseResult extends Score {
  readonly missed: readonly string[];
  /** `check locator: text` of the findings that are wrong. */
  readonly falseAlarms: readonly string[];
}

/** Compares the findings with the truth of the case. */
export function scoreOf(one: AccuracyCase, depth: Depth, observations: readonly Observation[]): CaseResult {
  const flaws = depth === 'full' ? [...one.flaws, ...(one.inFullScans ?? [])] : one.flaws;
  const missed = flaws.filter(flaw => !observations.some(seen => fits(seen, flaw)));
  const right = [...one.flaws, ...(one.inFullScans ?? []), ...(one.also ?? [])];
  const above = observations.filter(isAboveInfo);
  const wrong = above.filter(seen => !right.some(flaw => fits(seen, flaw)));
  return {
    flaws: flaws.length,
    found: flaws.length - missed.length,
    findings: above.length,
    wrong: wrong.length,
    missed,
    falseAlarms: wrong.map(({ check, locator, seen }) => `${check} ${locator}: ${seen}`),
  };
}

function fits({ check, locator, seen }: Observation, flaw: string): boolean {
  const [id, part = ''] = flaw.split(/ (.*)/s);
  return check === id && (part === '' || names(locator, part) || namesPath(seen, part));
}

/** Whether a text has the part, and nothing after it that makes it another name: `TLSv1` is not in `TLSv1.1`. */
const names = (text: string, part: string) => new RegExp(`${escaped(part)}(?!\\.?\\w)`).test(text);

/** The same, and not within a longer path: `/.env` is not in `/api/.env`. */
const namesPath = (text: string, part: string) =>
  part.startsWith('/') ? new RegExp(`(?<![\\w-])${escaped(part)}(?!\\.?\\w)`).test(text) : names(text, part);

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function isAboveInfo({ check, severity }: Observation): boolean {
  return severities.indexOf(severity ?? checkById(check)!.severity) < severities.indexOf('info');
}

export function sum(scores: readonly Score[]): Score {
  const total = (key: keyof Score) => scores.reduce((count, score) => count + score[key], 0);
  return { flaws: total('flaws'), found: total('found'), findings: total('findings'), wrong: total('wrong') };
}

/** Shares from 0 to 1; null where there is nothing to count. */
export const recallOf = ({ flaws, found }: Score) => (flaws === 0 ? null : found / flaws);
export const precisionOf = ({ findings, wrong }: Score) =>
  findings === 0 ? null : (findings - wrong) / findings;
