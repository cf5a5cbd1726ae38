import type { Data } from '../api/types.ts';
import { ButtonLink } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { Skeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';

/** The last proof of the books in a line; undefined while it is being read. */
export function LastProof({ last }: { last: Data<'get', '/operator/overview'>['lastVerify'] | undefined }) {
  return (
    <Section title="Money safety" about="Every check of the books, on demand.">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-3">
        {last === undefined ? (
          <Skeleton className="w-64" />
        ) : last === null ? (
          <p className="text-muted">The books have not been checked from here yet.</p>
        ) : (
          <p className="flex flex-wrap items-center gap-3">
            <ProofState state={last.state} />
            <Moment at={last.finishedAt ?? last.startedAt} />
          </p>
        )}
        <ButtonLink to="/operator/verify" size="small">
          {last === null ? 'Run the first check' : 'See the checks'}
        </ButtonLink>
      </div>
    </Section>
  );
}

type State = NonNullable<Data<'get', '/operator/verify'>>['state'];

const WORDS: Record<State, { tone: 'good' | 'bad' | 'warn' | 'info'; word: string }> = {
  RUNNING: { tone: 'info', word: 'Running' },
  RIGHT: { tone: 'good', word: 'The books are right' },
  ATTENTION: { tone: 'warn', word: 'Needs attention' },
  WRONG: { tone: 'bad', word: 'The books are wrong' },
  FAILED: { tone: 'warn', word: 'Could not be completed' },
};

/** How a proof stands, in words. */
export function ProofState({ state }: { state: State }) {
  const { tone, word } = WORDS[state];
  return <Badge tone={tone}>{word}</Badge>;
}
