import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { yieldThread } from '../../http/yield-thread.ts';
import type { Judgement, PasswordQuestion } from './password-judge.ts';

// The thread that judges passwords. What is known of breached ones, about 49,000 of the most frequent, comes with the library:
// nobody is asked.

yieldThread();
/** Of letters by signs that look like them. Each doubles the time, and a guesser tries no more either. */
const l33tMaxSubstitutions = 16;
const estimator = new ZxcvbnFactory({ graphs: adjacencyGraphs, dictionary, l33tMaxSubstitutions });
const breached = new Set<string>(dictionary['passwords-common'] as string[]);
parentPort!.on('message', ({ password, forms, known }: PasswordQuestion) => {
  const judgement: Judgement = breached.has(password.toLowerCase())
    ? { isBreached: true, score: 0 }
    : {
        isBreached: false,
        score: Math.min(...forms.map(form => estimator.check(form, [...known]).score)),
      };
  parentPort!.postMessage(judgement);
});
