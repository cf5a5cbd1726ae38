import { FileUp } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';
import { formatBytes } from '../format/text.ts';
import { cn } from './class-names.ts';
import { FieldError } from './field.tsx';

/** Of a document, as the service has it; it looks again, also at what is inside. */
export const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024;

export interface FileDropProps {
  label: string;
  /** What fits: "CSV or XLSX, up to 100,000 rows". */
  hint: string;
  /** As the `accept` of a file field: `.csv,.xlsx`. */
  accept: string;
  maxBytes: number;
  disabled?: boolean;
  onFile: (file: File) => void;
  error?: string | undefined;
}

/** A file, dropped or chosen. Says at once what does not fit; the service looks again at what is inside. */
export function FileDrop({ label, hint, accept, maxBytes, disabled, onFile, error }: FileDropProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState<string>();

  function take(file: File | undefined): void {
    if (file === undefined || disabled === true) return;
    const problem = complainAbout(file, accept, maxBytes);
    setRefused(problem);
    if (problem === undefined) onFile(file);
  }
  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  }
  const complaint = refused ?? error;

  return (
    <div className="flex flex-col gap-1.5">
      <label
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={cn(
          'flex flex-col items-center gap-1 rounded-card border-2 border-dashed border-edge bg-sunken px-6 py-8 text-center',
          'transition-colors hover:border-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
          over && 'border-accent bg-accent-soft',
          disabled === true && 'opacity-55',
        )}
      >
        <FileUp className="mb-1 size-6 text-accent" aria-hidden />
        <span className="font-medium">{label}</span>
        <span className="text-xs text-muted">{hint}</span>
        <input
          id={id}
          type="file"
          accept={accept}
          disabled={disabled}
          className="sr-only"
          aria-describedby={complaint === undefined ? undefined : `${id}-error`}
          onChange={(event) => {
            take(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </label>
      {complaint !== undefined && <FieldError id={`${id}-error`}>{complaint}</FieldError>}
    </div>
  );
}

function complainAbout(file: File, accept: string, maxBytes: number): string | undefined {
  const endings = accept.split(',').map((ending) => ending.trim().toLowerCase());
  const fits = endings.some((ending) => file.name.toLowerCase().endsWith(ending) || file.type === ending);
  if (!fits) return `${file.name} is of another kind. Choose ${endings.join(' or ')}.`;
  if (file.size === 0) return `${file.name} is empty.`;
  if (file.size > maxBytes) {
    return `${file.name} has ${formatBytes(file.size)}; at most ${formatBytes(maxBytes)} are taken.`;
  }
  return undefined;
}
