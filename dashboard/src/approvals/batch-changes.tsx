import { useDifference } from '../batch-difference/use-difference.ts';
import { cn } from '../components/class-names.ts';
import { formatCount } from '../format/money.ts';
import { shownIn } from './approval-facts.ts';
import type { Approval } from './approval-words.ts';

/** More rows take the service a second or two for each list: those are compared on the page of the approval. */
const MOST_ROWS = 5_000;

const WORDS = {
  CHANGED_ACCOUNT: ['changed account', 'changed accounts'],
  NEW: ['new', 'new'],
  CHANGED_AMOUNT: ['changed amount', 'changed amounts'],
  GONE: ['gone', 'gone'],
  UNCLEAR: ['not clear', 'not clear'],
} as const;

/** What a list that waits has otherwise than the last one, in a line. */
export function BatchChanges({ approval }: { approval: Approval }) {
  const batchReference = shownIn(approval, 'batchReference') ?? '';
  const waits = approval.kind === 'BATCH' && approval.status === 'PENDING' && batchReference !== '';
  const isSmall = Number(shownIn(approval, 'payouts') ?? 0) <= MOST_ROWS;
  const { data } = useDifference(batchReference, waits && isSmall);
  if (!waits || data === undefined || data.earlier === null) return null;
  const changed = data.kinds.filter(({ kind, count }) => kind !== 'SAME' && count > 0);
  const isLoud = changed.some(({ kind }) => kind === 'CHANGED_ACCOUNT');
  const parts = changed.map(({ kind, count }) => {
    const [one, many] = WORDS[kind as keyof typeof WORDS];
    return `${formatCount(count)} ${count === 1 ? one : many}`;
  });
  return (
    <span className={cn('block text-xs', isLoud ? 'font-semibold text-bad' : 'text-muted')}>
      {parts.length === 0 ? 'The same as the last list' : `Since the last list: ${parts.join(', ')}`}
    </span>
  );
}
