import { cn } from '../components/class-names.ts';
import { CopyButton } from '../components/copy-button.tsx';

/** A region that scrolls has to be reachable by keyboard. */
const SCROLLS = { tabIndex: 0 };

export interface CodeBlockProps {
  /** What it is, for those who do not see it. */
  label: string;
  text: string;
  className?: string;
}

/** Text as a program wrote it, in a window of its own. */
export function CodeBlock({ label, text, className }: CodeBlockProps) {
  return (
    <section
      aria-label={label}
      className={cn('max-h-96 overflow-auto rounded-control border bg-sunken p-3.5', className)}
      {...SCROLLS}
    >
      <pre className="font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap">{text}</pre>
    </section>
  );
}

/** A value as the API sends it, to read and to copy. */
export function JsonView({ value, what }: { value: unknown; what: string }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <div className="relative">
      <div className="absolute top-1.5 right-3">
        <CopyButton text={text} what={what} />
      </div>
      <CodeBlock label={what} text={text} className="max-h-128 pr-12" />
    </div>
  );
}
