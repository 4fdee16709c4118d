import { leastPasswordScore, passwordLength } from '../../src/contract/dashboard/password.ts';

type Score = 0 | 1 | 2 | 3 | 4;

export interface Strength {
  readonly score: Score;
  /** What would make it stronger; empty if it is strong enough. */
  readonly advice: string;
}

/** Rates a password as the service does, except for its list of breached passwords. */
export async function strengthOf(password: string, personal: readonly string[]): Promise<Strength> {
  estimator ??= loadEstimator();
  const estimate = await estimator;
  const words = personal.flatMap(text => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const guessable = words.filter(word => word.length >= 3);
  const forms = [password, password.replaceAll(/[^\p{L}\p{N}]/gu, '')];
  const score = Math.min(...forms.map(form => estimate(form.slice(0, 48), guessable))) as Score;
  const missing = passwordLength.min - password.length;
  if (missing > 0) {
    const advice = `Add ${missing} more ${missing === 1 ? 'character' : 'characters'}.`;
    return { score: Math.min(score, 1) as Score, advice };
  }
  return { score, advice: score >= leastPasswordScore ? '' : 'Add an uncommon word or two.' };
}

type Estimate = (password: string, guessable: string[]) => Score;
let estimator: Promise<Estimate> | undefined;

async function loadEstimator(): Promise<Estimate> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const factory = new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary });
  return (password, guessable) => factory.check(password, guessable).score;
}
