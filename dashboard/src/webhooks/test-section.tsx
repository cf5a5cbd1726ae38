import { Send } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { type ApiError, messageOf } from '../api/errors.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { CodeBlock } from '../developers/code-block.tsx';

type Call = Data<'post', '/webhook/test'>;

/** A call on demand, with what the receiver answered. */
export function TestSection() {
  const test = useAction('post', '/webhook/test', { changes: ['/webhook/endpoint'] });
  const [called, setCalled] = useState<Call>();

  async function send(): Promise<void> {
    setCalled(undefined);
    try {
      setCalled(await test.run({}));
    } catch {
      // Shown below, from the action.
    }
  }

  return (
    <Section title="Try it" about="Sends webhook.test now. It is signed like every call and is not logged.">
      <div className="flex flex-col gap-4">
        <Button icon={Send} busy={test.isPending} onClick={() => void send()} className="self-start">
          Send a test call
        </Button>
        <div aria-live="polite">
          {test.error !== undefined && <Alert tone="bad">{wordsFor(test.error)}</Alert>}
          {called !== undefined && <CallResult called={called} />}
        </div>
      </div>
    </Section>
  );
}

/** The service tells programs which operation sets the address; a person has the field beside this. */
function wordsFor(error: ApiError): string {
  return error.code === 'WEBHOOK_ENDPOINT_MISSING' ? 'There is no address yet. Save one first.' : messageOf(error);
}

function CallResult({ called }: { called: Call }) {
  const { delivered, statusCode, durationMs, answer, error } = called;
  return (
    <div className="flex flex-col gap-2">
      <Alert
        tone={delivered ? 'good' : 'bad'}
        title={delivered ? 'The receiver accepted it' : 'The receiver did not accept it'}
      >
        {statusCode === null ? 'No answer came' : `Answered ${statusCode}`} after {durationMs} ms.
        {error !== null && ` ${error}`}
      </Alert>
      <ReceiverAnswer answer={answer} />
    </div>
  );
}

/** The beginning of what a receiver answered, as text. */
export function ReceiverAnswer({ answer }: { answer: string | null }) {
  if (answer === null || answer === '') return null;
  return (
    <div>
      <p className="mb-1 text-xs text-muted">What the receiver wrote</p>
      <CodeBlock label="What the receiver wrote" text={answer} className="max-h-40" />
    </div>
  );
}
