import { CopyButton } from '../components/values.tsx';

/** A reference in a table: its beginning, whole on hover, in the search of the page and for copying. */
export function Reference({ reference }: { reference: string }) {
  return (
    <span className="flex items-center gap-1">
      <span className="max-w-32 truncate font-mono text-xs xl:max-w-48" title={reference}>
        {reference}
      </span>
      <CopyButton text={reference} what={`reference ${reference}`} />
    </span>
  );
}
