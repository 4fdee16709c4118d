import { leastPasswordScore, passwordLength } from '../../src/contract/dashboard/password.ts';

type Score = 0 | 1 | 2 | 3 | 4;

/** How hard a password is to guess. */
export interface Strength {
  readonly score: Score;
  /** Whether the service takes it, as far as can be told here. */
  readonly enough: boolean;
  /** What would make it better; empty where it is good enough. */
  readonly advice: string;
}

/** Judges as the service does; loads what it takes when first asked. */
export async function strengthOf(password: string, known: readonly string[]): Promise<Strength> {
  estimator ??= loadEstimator();
  const check = await estimator;
  const words = known.flatMap(text => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const guessable = words.filter(word => word.length >= 3);
  const forms = [password, password.replaceAll(/[^\p{L}\p{N}]/gu, '')];
  const score = Math.min(...forms.map(form => check(form.slice(0, 48), guessable))) as Score;
  const missing = passwordLength.min - password.length;
  if (missing > 0) {
    const advice = `${missing} more ${missing === 1 ? 'character' : 'characters'}.`;
    return { score: Math.min(score, 1) as Score, enough: false, advice };
  }
  const enough = score >= leastPasswordScore;
  return { score, enough, advice: enough ? '' : 'Add a word or two that nobody would expect.' };
}

type Check = (password: string, guessable: string[]) => Score;
let estimator: Promise<Check> | undefined;

async function loadEstimator(): Promise<Check> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const factory = new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary });
  return (password, guessable) => factory.check(password, guessable).score;
}
