import { useState } from 'react';
import { useMode, useSession } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { keepAttempt, unansweredUploads } from './upload-attempts.ts';

/** The page was left while files were on their way: whoever comes back reads it before they send them again. */
export function UnansweredUploads() {
  const mode = useMode();
  const { personId } = useSession().person;
  const [, setSeen] = useState(0);
  const attempts = unansweredUploads(personId).filter((one) => one.mode === mode && !one.isSeen);
  if (attempts.length === 0) return null;
  const names = [...new Set(attempts.map(({ fileName }) => fileName))];

  function dismiss(): void {
    for (const attempt of attempts) keepAttempt(personId, { ...attempt, isSeen: true });
    setSeen((count) => count + 1);
  }

  return (
    <Alert
      tone="warn"
      title={`Nothing was heard of ${names.join(', ')}`}
      action={
        <Button size="small" onClick={dismiss}>
          Dismiss
        </Button>
      }
    >
      The page was left, or the connection lost, while {names.length === 1 ? 'it was' : 'they were'} on the way. Look in
      the list below first. What is not there, choose again: the same file, read in the same way, becomes one list
      however often it is sent.
    </Alert>
  );
}
