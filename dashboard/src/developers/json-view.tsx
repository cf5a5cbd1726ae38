import { CopyButton } from '../components/values.tsx';
import { CodeBlock } from './code-block.tsx';

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
