import { Text } from '@mantine/core';
import { Dimmed } from './dimmed.tsx';

/** A word beside the color, since color alone does not convey a rating. */
function ratingOf(score: number): { word: string; color: string } {
  if (score >= 90) return { word: 'Good', color: 'var(--good)' };
  if (score >= 70) return { word: 'Fair', color: 'var(--severity-medium)' };
  if (score >= 50) return { word: 'Weak', color: 'var(--severity-high)' };
  return { word: 'Poor', color: 'var(--severity-critical)' };
}

/** A score in a table; null if no scan has assessed anything. */
export function Score({ score }: { readonly score: number | null }) {
  if (score === null) return <Dimmed span>Not scanned</Dimmed>;
  const { word, color } = ratingOf(score);
  return (
    <Text span className="tabular" size="sm">
      <Text span fw={600} size="sm" style={{ color }}>
        {score}
      </Text>{' '}
      {word}
    </Text>
  );
}

/** A score as the main figure of a card. */
export function BigScore({ score }: { readonly score: number | null }) {
  if (score === null) return <Text c="dimmed">Not scanned</Text>;
  const { word, color } = ratingOf(score);
  return (
    <Text component="p" m={0} className="tabular">
      <Text span fz="2.75rem" fw={700} lh={1} style={{ color }}>
        {score}
      </Text>
      <Text span c="dimmed">
        {' '}
        of 100, {word.toLowerCase()}
      </Text>
    </Text>
  );
}
