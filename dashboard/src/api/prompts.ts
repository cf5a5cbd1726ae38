/**
 * What the API has to ask of the person before a request can go on: to sign in again, or to give the password anew.
 * One question stands at a time, however many requests wait for it; a dialog answers it.
 */
export type Prompt = 'SIGN_IN' | 'FRESH';

interface Question {
  prompt: Prompt;
  answer: Promise<boolean>;
  settle(given: boolean): void;
}

let question: Question | undefined;
const listeners = new Set<() => void>();

/** Resolves with true once the person has done it, false where they turn it down. */
export function ask(prompt: Prompt): Promise<boolean> {
  if (question?.prompt === prompt) return question.answer;
  question?.settle(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  question = { prompt, answer: promise, settle: resolve };
  tell();
  return promise;
}

export function settlePrompt(given: boolean): void {
  question?.settle(given);
  question = undefined;
  tell();
}

export const currentPrompt = (): Prompt | undefined => question?.prompt;

export function onPrompt(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
