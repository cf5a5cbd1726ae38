import { Link, useNavigate } from '@tanstack/react-router';
import { KeyRound, Send } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../api/errors.ts';
import { useMay } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Combobox } from '../components/combobox.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Labelled } from '../components/field.tsx';
import { Input, PasswordInput, Textarea } from '../components/inputs.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { type ApiDocument, type Schema, useApiDocument } from './api-document.ts';
import { fieldsOf, type Operation, operationsOf } from './api-schema.ts';
import { CodeBlock } from './code-block.tsx';
import { isSandboxKey, useExplorerKey } from './explorer-key.ts';
import {
  type Answered,
  complaintAbout,
  firstBody,
  type Prepared,
  prepared,
  sendPrepared,
  type Typed,
  takesIdempotencyKey,
  typedParameters,
} from './explorer-request.ts';
import { FieldTable } from './field-table.tsx';
import { curlOf, scriptOf } from './request-curl.ts';
import { WithCode } from './with-code.tsx';

/** Calls an operation of the API as a program does, with a key of the sandbox. */
export function ExplorerPage({ operationId }: { operationId: string | undefined }) {
  const { data: document, error, refetch } = useApiDocument();
  return (
    <>
      <PageHeader title="API explorer">
        Send a request as your program would, with a sandbox key, and see what comes back. It is always the sandbox:
        test money and test people.
      </PageHeader>
      <KeySection />
      {document === undefined ? (
        error === null ? (
          <PageSkeleton />
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : (
        <Explorer document={document} operationId={operationId} />
      )}
    </>
  );
}

/** The key: made for this, or typed. It stays in this page's memory. */
function KeySection() {
  const { key, make, use, forget } = useExplorerKey();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function makeOne(): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await make();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  }
  function take(): void {
    const given = typed.trim();
    setTyped('');
    if (isSandboxKey(given)) use(given);
    setProblem(
      isSandboxKey(given) ? undefined : 'This is not a sandbox key (sk_test_… or pk_test_…). It was not sent anywhere.',
    );
  }

  return (
    <Section title="Key" about="It stays in the memory of this page: a reload, or signing out, forgets it.">
      {key === undefined ? (
        <div className="flex flex-col gap-4">
          <div className="flex flex-col gap-3 sm:flex-row sm:items-end">
            <Button icon={KeyRound} look="primary" busy={busy} onClick={() => void makeOne()}>
              Make a sandbox key for a day
            </Button>
            <form
              className="flex min-w-0 flex-1 items-end gap-2"
              onSubmit={(event) => {
                event.preventDefault();
                take();
              }}
            >
              <Labelled label="Or one of yours" error={undefined} className="min-w-0 flex-1">
                {(control) => (
                  <PasswordInput
                    {...control}
                    autoComplete="off"
                    placeholder="sk_test_…"
                    value={typed}
                    onChange={(event) => setTyped(event.target.value)}
                  />
                )}
              </Labelled>
              <Button type="submit" disabled={typed.trim() === ''}>
                Use this key
              </Button>
            </form>
          </div>
          {problem !== undefined && <Alert tone="bad">{problem}</Alert>}
        </div>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p>
            Requests are sent with the key{' '}
            <span className="font-mono text-xs">{`${key.slice(0, 8)}…${key.slice(-4)}`}</span>.
          </p>
          <Button size="small" onClick={forget}>
            Forget the key
          </Button>
        </div>
      )}
    </Section>
  );
}

function Explorer({ document, operationId }: { document: ApiDocument; operationId: string | undefined }) {
  const navigate = useNavigate();
  const operations = operationsOf(document);
  const chosen = operations.find(({ id }) => id === operationId);
  const options = operations.map(({ id, method, path, tag, summary }) => ({
    value: id,
    label: `${method} ${path}`,
    detail: `${tag}: ${summary}`,
  }));
  return (
    <>
      <Labelled
        label="Operation"
        hint="Type a part of its address or of what it does."
        error={undefined}
        className="mb-6"
      >
        {(control) => (
          <Combobox
            {...control}
            options={options}
            value={chosen?.id ?? ''}
            placeholder="POST /payout/quote"
            onChange={(id) =>
              void navigate({ to: '/developers/explorer', search: (before) => ({ mode: before.mode, operation: id }) })
            }
          />
        )}
      </Labelled>
      {chosen === undefined ? (
        <div className="card">
          <EmptyState title="Choose an operation">
            Its fields and the request that was recorded of it are filled in, ready to be changed and sent.
          </EmptyState>
        </div>
      ) : (
        <OperationSection key={chosen.id} document={document} operation={chosen} />
      )}
    </>
  );
}

/** What came of it; undefined before anything was sent. */
type Outcome = { request: Prepared; answer: Answered } | { problem: string };

function OperationSection({ document, operation }: { document: ApiDocument; operation: Operation }) {
  const { key } = useExplorerKey();
  const [typed, setTyped] = useState<Typed>(() => ({
    parameters: {},
    body: firstBody(document, operation),
    idempotencyKey: takesIdempotencyKey(operation) ? crypto.randomUUID() : '',
  }));
  const [outcome, setOutcome] = useState<Outcome>();
  const [busy, setBusy] = useState(false);
  const change = (some: Partial<Typed>) => setTyped((before) => ({ ...before, ...some }));

  async function send(): Promise<void> {
    const problem = key === undefined ? 'Make a key first, or enter one.' : complaintAbout(operation, typed);
    if (key === undefined || problem !== undefined) {
      setOutcome({ problem: problem ?? '' });
      return;
    }
    const request = prepared(operation, typed);
    setBusy(true);
    try {
      setOutcome({ request, answer: await sendPrepared(request, key) });
    } catch {
      setOutcome({ problem: 'No answer came. Send it again: with the same idempotency key it takes effect once.' });
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Section title={operation.summary} about={<WithCode text={operation.description ?? ''} />}>
        {operation.takesFile ? (
          <Alert tone="info">This operation takes a file. Send it from a terminal or from its own page.</Alert>
        ) : (
          <div className="flex flex-col gap-4">
            <Parameters operation={operation} typed={typed} onChange={change} />
            {operation.body !== undefined && (
              <Labelled label="Body" hint={bodyHint(typed.body)} error={undefined}>
                {(control) => (
                  <Textarea
                    {...control}
                    rows={Math.min(18, typed.body.split('\n').length + 1)}
                    spellCheck={false}
                    autoCapitalize="none"
                    className="font-mono text-xs leading-relaxed"
                    value={typed.body}
                    onChange={(event) => change({ body: event.target.value })}
                  />
                )}
              </Labelled>
            )}
            <Button icon={Send} look="primary" busy={busy} onClick={() => void send()} className="self-start">
              Send the request
            </Button>
          </div>
        )}
      </Section>
      <div aria-live="polite">{outcome !== undefined && <OutcomeSection outcome={outcome} />}</div>
      <CodeSection request={prepared(operation, typed)} />
      {operation.body !== undefined && (
        <Section title="Fields of the body" bare>
          <FieldTable caption="Fields of the body" fields={fieldsOf(document, operation.body)} />
        </Section>
      )}
    </>
  );
}

const bodyHint = (body: string): string =>
  /"pin"\s*:/.test(body)
    ? 'JSON. Put in your sandbox PIN, and ids of yours in place of those that were recorded.'
    : 'JSON. Put in ids of yours in place of those that were recorded.';

interface ParametersProps {
  operation: Operation;
  typed: Typed;
  onChange: (some: Partial<Typed>) => void;
}

function Parameters({ operation, typed, onChange }: ParametersProps) {
  const parameters = typedParameters(operation);
  const hasKey = takesIdempotencyKey(operation);
  if (parameters.length === 0 && !hasKey) return null;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {parameters.map(({ name, required, description, schema }) => (
        <Labelled key={name} label={name} hint={description} optional={required !== true} error={undefined}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              placeholder={placeholderOf(schema)}
              value={typed.parameters[name] ?? ''}
              onChange={(event) => onChange({ parameters: { ...typed.parameters, [name]: event.target.value } })}
            />
          )}
        </Labelled>
      ))}
      {hasKey && (
        <Labelled
          label="Idempotency-Key"
          hint="Sent again with the same key, it takes effect once. Empty it to send none."
          optional
          error={undefined}
        >
          {(control) => (
            <div className="flex gap-2">
              <Input
                {...control}
                autoComplete="off"
                spellCheck={false}
                maxLength={255}
                className="font-mono text-xs"
                value={typed.idempotencyKey}
                onChange={(event) => onChange({ idempotencyKey: event.target.value })}
              />
              <Button onClick={() => onChange({ idempotencyKey: crypto.randomUUID() })}>New</Button>
            </div>
          )}
        </Labelled>
      )}
    </div>
  );
}

function placeholderOf({ examples = [], enum: words = [] }: Schema): string {
  const [example] = examples;
  return typeof example === 'string' || typeof example === 'number' ? String(example) : words.join(', ');
}

function OutcomeSection({ outcome }: { outcome: Outcome }) {
  const mayRead = useMay()('request:read', 'SANDBOX');
  if ('problem' in outcome) {
    return (
      <Alert tone="bad" className="mb-8">
        {outcome.problem}
      </Alert>
    );
  }
  const { status, durationMs, requestId, replayed, text } = outcome.answer;
  return (
    <Section
      title="Answer"
      actions={<Badge tone={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>}
      about={`After ${durationMs} ms.${replayed ? ' It is the answer of the first request with this idempotency key; nothing was done now.' : ''}`}
      bare
    >
      <div className="relative">
        <div className="absolute top-1.5 right-3">
          <CopyButton text={text} what="answer" />
        </div>
        <CodeBlock label="Answer" text={text} className="max-h-128 pr-12" />
      </div>
      {requestId !== null && mayRead && (
        <p className="mt-2 text-xs text-muted">
          <Link
            to="/developers/requests/$requestId"
            params={{ requestId }}
            search={(before) => ({ mode: before.mode === 'live' ? undefined : before.mode })}
            className="text-accent underline"
          >
            Request {requestId}
          </Link>{' '}
          is in the log in a second.
        </p>
      )}
    </Section>
  );
}

function CodeSection({ request }: { request: Prepared }) {
  const whole = { ...request, url: `${location.origin}${request.url}` };
  const texts = [
    { label: 'In a terminal', text: curlOf(whole) },
    { label: 'In JavaScript', text: scriptOf(whole) },
  ];
  return (
    <Section title="The same from elsewhere" about="The key is read from MANILLA_KEY: it stands in neither text." bare>
      <div className="grid gap-4 lg:grid-cols-2">
        {texts.map(({ label, text }) => (
          <div key={label} className="relative min-w-0">
            <p className="mb-1 text-xs text-muted">{label}</p>
            <div className="absolute top-6.5 right-3">
              <CopyButton text={text} what={label.toLowerCase()} />
            </div>
            <CodeBlock label={label} text={text} className="pr-12" />
          </div>
        ))}
      </div>
    </Section>
  );
}
