import type { Data } from '../api/types.ts';
import { Badge } from '../components/status.tsx';

type State = NonNullable<Data<'get', '/operator/verify'>>['state'];

const WORDS: Record<State, { tone: 'good' | 'bad' | 'warn' | 'info'; word: string }> = {
  RUNNING: { tone: 'info', word: 'Being made' },
  RIGHT: { tone: 'good', word: 'The books are right' },
  WRONG: { tone: 'bad', word: 'The books are wrong' },
  FAILED: { tone: 'warn', word: 'Could not be made' },
};

/** How a proof stands, in words. */
export function ProofState({ state }: { state: State }) {
  const { tone, word } = WORDS[state];
  return <Badge tone={tone}>{word}</Badge>;
}
