import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { yieldThread } from '../../http/yield-thread.ts';
import type { Judgement, PasswordQuestion } from './password-judge.ts';

// Entry point of the thread that checks passwords. The library includes about 49,000 of the most common breached passwords,
// so no network request is needed.

yieldThread();
/** Maximum look-alike substitutions to evaluate. Each doubles the time, and attackers do not try more either. */
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
