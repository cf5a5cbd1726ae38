import { Section } from '../components/page-header.tsx';
import { Timeline } from '../components/timeline.tsx';
import type { Merchant } from './merchant.ts';

const WORDS: Record<string, { title: string; tone: 'good' | 'bad' | 'warn' | 'info' }> = {
  submit: { title: 'Submitted', tone: 'info' },
  'submit-changes': { title: 'Changes submitted', tone: 'info' },
  'accept-changes': { title: 'Changes accepted', tone: 'good' },
  'reject-changes': { title: 'Changes turned down', tone: 'warn' },
  approve: { title: 'Approved', tone: 'good' },
  reject: { title: 'Turned down', tone: 'warn' },
  suspend: { title: 'Suspended', tone: 'bad' },
  reinstate: { title: 'Reinstated', tone: 'good' },
};

/** What a merchant asked for and what was decided, by whom and why. */
export function HistorySection({ merchant: { history } }: { merchant: Merchant }) {
  return (
    <Section title="What happened">
      {history.length === 0 ? (
        <p className="text-muted">Nothing yet.</p>
      ) : (
        <Timeline
          entries={history.map(({ changeId, action, at, actor, reason }) => ({
            key: changeId,
            at,
            title: `${WORDS[action]?.title ?? action} by ${actor}`,
            tone: WORDS[action]?.tone ?? 'info',
            detail: reason,
          }))}
        />
      )}
    </Section>
  );
}
