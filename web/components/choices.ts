export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The entries of a table of labels, for a select. */
export const choicesOf = (labels: Readonly<Record<string, string>>): Choice[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** The choices, and the chosen value where a link names one that is not among them. */
export function withChosen(choices: readonly Choice[], chosen: string | undefined): Choice[] {
  if (!chosen || choices.some(({ value }) => value === chosen)) return [...choices];
  return [...choices, { value: chosen, label: chosen }];
}
