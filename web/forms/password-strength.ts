/** How hard a password is to guess: 3 and 4 are good enough. */
export interface Strength {
  readonly score: 0 | 1 | 2 | 3 | 4;
  /** What would make it better; empty where it is good. */
  readonly advice: string;
}

/** Judges as the service does; loads what it takes when first asked. */
export async function strengthOf(password: string, known: readonly string[]): Promise<Strength> {
  estimator ??= loadEstimator();
  const check = await estimator;
  const words = known.flatMap(text => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  const score = check(
    password.slice(0, 64),
    words.filter(word => word.length >= 3),
  );
  if (password.length < 12) {
    return { score: Math.min(score, 1) as 0 | 1, advice: `${12 - password.length} more characters.` };
  }
  return { score, advice: score < 3 ? 'Add a word or two that nobody would expect.' : '' };
}

type Check = (password: string, known: string[]) => Strength['score'];
let estimator: Promise<Check> | undefined;

async function loadEstimator(): Promise<Check> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const factory = new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary });
  return (password, known) => factory.check(password, known).score;
}
