import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { cn } from './class-names.ts';
import { toast } from './toast.tsx';

export interface CopyButtonProps {
  text: string;
  /** What is copied, for the label: "account number". */
  what: string;
}

export function CopyButton({ text, what }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Copy;

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 1_500);
    } catch {
      toast({ tone: 'bad', text: 'The browser does not allow copying here. Select the text and copy it by hand.' });
    }
  }

  return (
    <button
      type="button"
      onClick={() => void copy()}
      aria-label={copied ? `Copied the ${what}` : `Copy the ${what}`}
      title={`Copy the ${what}`}
      className="inline-grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
    >
      <Icon className={cn('size-4', copied && 'text-good')} aria-hidden />
    </button>
  );
}

/** So many characters stay on one line: an account number in a narrow column is read as one. */
const STAYS_WHOLE = 16;

/** A text that people copy: an account number, an id, a secret. */
export function Copyable({ text, what, mono = true }: CopyButtonProps & { mono?: boolean }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span
        className={cn(
          'min-w-0',
          mono && 'figures font-mono text-[0.95em]',
          text.length > STAYS_WHOLE ? 'break-all whitespace-normal' : 'whitespace-nowrap',
        )}
      >
        {text}
      </span>
      <CopyButton text={text} what={what} />
    </span>
  );
}
