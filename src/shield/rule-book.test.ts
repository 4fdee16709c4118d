import { expect, it } from 'vitest';
import { type KnownRule, readRules } from './rule-book.ts';

const rulesOf = (text: string) => {
  const book = new Map<string, KnownRule>();
  readRules(text, book);
  return Object.fromEntries(book);
};

it('reads messages of rules without what the firewall fills in', () => {
  expect(
    rulesOf(String.raw`
# SecRule ARGS "@rx a" "id:1,msg:'Not a rule'"
SecRule ARGS "@rx \"quoted, \'text" \
    "id:2,\
    phase:2,\
    block,\
    msg:'It\'s found, in %{MATCHED_VAR_NAME}: (%{MATCHED_VAR})',\
    logdata:'%{MATCHED_VAR}',\
    tag:'attack-sqli'"
SecAction "id:'3',phase:1,pass,nolog"
`),
  ).toEqual({
    2: { message: "It\\'s found, in …:", denies: false },
    3: { message: null, denies: false },
  });
});

it('knows which rules deny, with the default action', () => {
  const rules = rulesOf(`
SecRule A "a" "id:1,deny,status:403"
SecRule A "a" "id:2,pass,msg:'deny'"
SecRule A "a" "id:3,block"
SecDefaultAction "phase:2,log,deny,status:403"
SecRule A "a" "id:4,block"
SecRule A "a" "id:5,phase:1,redirect:'https://www.example.com/,a'"
SecRule A "a" "id:6,drop"
`);
  expect(Object.entries(rules).flatMap(([id, { denies }]) => (denies ? [id] : []))).toEqual([
    '1',
    '4',
    '5',
    '6',
  ]);
});
