import type { Data } from '../api/types.ts';
import { ButtonLink } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { Skeleton } from '../components/states.tsx';
import { Moment } from '../components/values.tsx';
import { ProofState } from './proof-state.tsx';

/** The last proof of the books in a line; undefined while it is being read. */
export function LastProof({ last }: { last: Data<'get', '/operator/overview'>['lastVerify'] | undefined }) {
  return (
    <Section title="Money safety" about="Every check that the books can be put to, on demand.">
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-3">
        {last === undefined ? (
          <Skeleton className="w-64" />
        ) : last === null ? (
          <p className="text-muted">Nobody has made a proof from here yet.</p>
        ) : (
          <p className="flex flex-wrap items-center gap-3">
            <ProofState state={last.state} />
            <Moment at={last.finishedAt ?? last.startedAt} />
          </p>
        )}
        <ButtonLink to="/operator/verify" size="small">
          {last === null ? 'Make the first' : 'See the proof'}
        </ButtonLink>
      </div>
    </Section>
  );
}
