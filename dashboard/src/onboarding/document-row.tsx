import { FileText, LoaderCircle, Upload } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { cn } from '../components/class-names.ts';
import { FieldError } from '../components/field.tsx';
import { Badge } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import { formatBytes } from '../format/text.ts';
import { complainAboutDocument } from './complain-about-document.ts';
import { DocumentFile } from './document-file.tsx';
import { ACCEPTED, type Document, type DocumentWords } from './document-words.ts';

interface DocumentRowProps {
  words: DocumentWords;
  missing: boolean;
  documents: readonly Document[];
  open: boolean;
}

/** One kind of document. A file can be chosen or dropped on the row. */
export function DocumentRow({ words, missing, documents, open }: DocumentRowProps) {
  const { send, sending, problem, complain } = useUpload(words);
  const [over, setOver] = useState(false);

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    const [file, another] = event.dataTransfer.files;
    if (!open || file === undefined) return;
    if (another === undefined) void send(file);
    else complain('Those are several files. Drop them one at a time.');
  }

  return (
    <li
      className={cn('-mx-2 flex flex-col gap-2 rounded-control px-2 py-3.5', over && 'bg-accent-soft')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(open);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-60">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            {words.title}
            {documents.length > 0 ? <Badge tone="good">Added</Badge> : missing && <Badge tone="warn">Needed</Badge>}
          </p>
          <p className="text-xs text-muted">{words.about}</p>
        </div>
        {open && (
          <ChooseFile
            words={words}
            another={documents.length > 0}
            busy={sending !== undefined}
            problem={problem}
            onFile={(file) => void send(file)}
          />
        )}
      </div>
      {sending !== undefined && (
        <p role="status" className="flex items-center gap-2 text-xs text-muted">
          <LoaderCircle className="size-3.5 animate-spin" aria-hidden />
          Sending {sending.name} ({formatBytes(sending.size)})…
        </p>
      )}
      {problem !== undefined && (
        <div role="alert">
          <FieldError id={`problem-${words.kind}`}>{problem}</FieldError>
        </div>
      )}
      {documents.map((document) => (
        <DocumentFile key={document.documentId} document={document} open={open} icon={FileText} />
      ))}
    </li>
  );
}

function useUpload({ kind, title }: DocumentWords) {
  const upload = useAction('post', '/onboarding/document', { changes: ['/onboarding', '/merchant/info'] });
  const [sending, setSending] = useState<File>();
  const [problem, setProblem] = useState<string>();

  async function send(file: File): Promise<void> {
    const complaint = await complainAboutDocument(file);
    setProblem(complaint);
    if (complaint !== undefined || sending !== undefined) return;
    const body = new FormData();
    body.append('kind', kind);
    body.append('file', file);
    setSending(file);
    try {
      await upload.run({ body });
      toast({ tone: 'good', text: `${title} added.` });
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setSending(undefined);
    }
  }
  return { send, sending, problem, complain: setProblem };
}

interface ChooseFileProps {
  words: DocumentWords;
  /** There is one of this kind already. */
  another: boolean;
  busy: boolean;
  problem: string | undefined;
  onFile: (file: File) => void;
}

function ChooseFile({ words, another, busy, problem, onFile }: ChooseFileProps) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className={cn(
        'inline-flex min-h-9 items-center gap-2 rounded-control border bg-surface px-3 text-xs font-medium hover:bg-hover',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        busy && 'opacity-55',
      )}
    >
      <Upload className="size-4" aria-hidden />
      {another ? 'Add another file' : 'Choose a file'}
      <span className="sr-only"> for {words.title}</span>
      <input
        id={id}
        type="file"
        accept={ACCEPTED}
        disabled={busy}
        className="sr-only"
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={problem === undefined ? undefined : `problem-${words.kind}`}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </label>
  );
}
