import { DocumentRow } from './document-row.tsx';
import { DOCUMENTS } from './document-words.ts';
import type { Onboarding, Step } from './step-fields.ts';

/** The documents by kind: what is there, what is missing, and a place to add each. */
export function DocumentsStep({ onboarding, step, open }: { onboarding: Onboarding; step: Step; open: boolean }) {
  const missing = new Set(step.missing.map(({ field }) => field));
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
