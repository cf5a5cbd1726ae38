import { Download, FileText, LoaderCircle, type LucideIcon, Trash2, Upload } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { downloadFile } from '../api/files.ts';
import { useMay, useMode } from '../api/session.ts';
import { IconButton } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { ConfirmDialog } from '../components/dialog.tsx';
import { FieldError } from '../components/field.tsx';
import { MAX_DOCUMENT_BYTES } from '../components/file-drop.tsx';
import { Badge } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { formatBytes } from '../format/text.ts';
import { ACCEPTED, DOCUMENTS, type Document, type DocumentWords } from './document-words.ts';
import { missingOf, type Onboarding, type Step } from './step-fields.ts';

/** The documents by kind: what is there, what is missing, and a place to add each. */
export function DocumentsStep({ onboarding, step, open }: { onboarding: Onboarding; step: Step; open: boolean }) {
  const missing = new Set(missingOf(step).map(({ field }) => field));
  return (
    <ul className="-my-2 flex flex-col divide-y">
      {DOCUMENTS.map((words) => (
        <DocumentRow
          key={words.kind}
          words={words}
          missing={missing.has(words.kind)}
          documents={onboarding.documents.filter(({ kind }) => kind === words.kind)}
          open={open}
        />
      ))}
    </ul>
  );
}

interface DocumentRowProps {
  words: DocumentWords;
  missing: boolean;
  documents: readonly Document[];
  open: boolean;
}

/** One kind of document. A file can be chosen or dropped on the row. */
function DocumentRow({ words, missing, documents, open }: DocumentRowProps) {
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

interface DocumentFileProps {
  document: Document;
  open: boolean;
  icon: LucideIcon;
}

/** A document that was added: to save again, and to take away until a review accepted it. */
function DocumentFile({ document, open, icon: Icon }: DocumentFileProps) {
  const { documentId, fileName, bytes, uploadedAt, removable } = document;
  const mode = useMode();
  const mayOpen = useMay()('document:read', mode);
  const remove = useAction('delete', '/onboarding/document/{documentId}', {
    changes: ['/onboarding', '/merchant/info'],
  });
  const [asking, setAsking] = useState(false);

  function download(): void {
    const address = `/onboarding/document/${documentId}/content`;
    downloadFile(address, mode, fileName).catch((error: unknown) => toast({ tone: 'bad', text: messageOf(error) }));
  }

  return (
    <div className="flex items-center gap-3 rounded-control border bg-sunken px-3 py-1.5">
      <Icon className="size-4 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="truncate">{fileName}</p>
        <p className="text-xs text-muted">
          {formatBytes(bytes)}, added <Moment at={uploadedAt} />
        </p>
      </div>
      {mayOpen && <IconButton icon={Download} label={`Download ${fileName}`} onClick={download} />}
      {open && removable && <IconButton icon={Trash2} label={`Remove ${fileName}`} onClick={() => setAsking(true)} />}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Remove ${fileName}?`}
        confirm="Remove document"
        danger
        onConfirm={() => remove.run({ path: { documentId } })}
      >
        <p>It is deleted. You can add it again as long as you have the file.</p>
      </ConfirmDialog>
    </div>
  );
}

const PDF = [0x25, 0x50, 0x44, 0x46];
const PNG = [0x89, 0x50, 0x4e, 0x47];
const JPEG = [0xff, 0xd8, 0xff];

/** What is wrong with a file before it is sent: a large one is not worth the wait. The service has the last word. */
async function complainAboutDocument(file: File): Promise<string | undefined> {
  if (file.size === 0) return `${file.name} is empty.`;
  if (file.size > MAX_DOCUMENT_BYTES) {
    return `${file.name} has ${formatBytes(file.size)}; at most 5 MB are taken. Scan it at a lower resolution.`;
  }
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const isKnown = [PDF, PNG, JPEG].some((signature) => signature.every((byte, at) => head[at] === byte));
  return isKnown
    ? undefined
    : `${file.name} is not a PDF, PNG or JPEG${promises(file.name) ? ', whatever its name says' : ''}. Save it as one, or choose another file.`;
}

/** Its name ends like one of those that are taken. */
const promises = (name: string) => /\.(pdf|png|jpe?g)$/i.test(name);
