import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { messageOf } from '../api/errors.ts';
import { keyOf } from '../api/reads.ts';
import { useMode } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Amount, Moment } from '../components/values.tsx';
import type { Rail } from './rail.ts';

/** What was in a rail's account when it was last asked, and a button that asks now. */
export function RailBalance({ rail: { railId, lastBalance, builtIn } }: { rail: Rail }) {
  const mode = useMode();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [said, setSaid] = useState(lastBalance);
  if (builtIn) return <span className="text-muted">Kept for each merchant apart</span>;

  async function ask(): Promise<void> {
    setAsking(true);
    setProblem(undefined);
    try {
      setSaid(await call('get', '/operator/rail/{railId}/balance', { path: { railId } }, { mode }));
      await queries.invalidateQueries({ queryKey: keyOf(mode, '/operator/rail') });
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setAsking(false);
    }
  }

  return (
    <span className="flex flex-wrap items-center justify-end gap-2">
      {said === null ? (
        <span className="text-muted">Not asked yet</span>
      ) : (
        <>
          <Amount value={said.amount} /> <Moment at={said.at} className="text-xs text-muted" />
        </>
      )}
      <Button
        size="small"
        busy={isAsking}
        onClick={() => void ask()}
        aria-label={`Ask now for the balance of ${railId}`}
      >
        Ask now
      </Button>
      {problem !== undefined && (
        <span role="alert" className="w-full text-xs text-bad">
          {problem}
        </span>
      )}
    </span>
  );
}
