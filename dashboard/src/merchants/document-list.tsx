import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Badge } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';
import { formatBytes } from '../format/text.ts';
import { DOCUMENTS } from '../onboarding/document-words.ts';
import type { Step } from '../onboarding/step-fields.ts';
import { DocumentView } from './document-view.tsx';
import type { MerchantDocument } from './merchant.ts';

interface DocumentListProps {
  merchantId: string;
  documents: readonly MerchantDocument[];
  /** What the papers have to prove, shown beside each. */
  steps: readonly Step[];
  /** The merchant is taken in: what came since then is marked. */
  isAccepted: boolean;
}

/** The papers of a merchant, to look at here or to keep. */
export function DocumentList({ merchantId, documents, steps, isAccepted }: DocumentListProps) {
  const isNew = ({ removable }: MerchantDocument) => isAccepted && removable;
  const [open, setOpen] = useState<MerchantDocument>();
  if (documents.length === 0) return <p className="text-muted">None was uploaded yet.</p>;
  return (
    <>
      <ul className="flex flex-col divide-y">
        {documents.map((document) => (
          <li
            key={document.documentId}
            className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0"
          >
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {titleOf(document)}
                {isNew(document) && <Badge tone="warn">New</Badge>}
              </p>
              <p className="text-xs break-all text-muted">
                {document.fileName}, {formatBytes(document.bytes)}, <Moment at={document.uploadedAt} />
              </p>
            </div>
            <div className="flex gap-2">
              <Button size="small" onClick={() => setOpen(document)} aria-label={`Look at ${document.fileName}`}>
                Look
              </Button>
              <DownloadButton size="small" address={addressOf(merchantId, document)} fileName={document.fileName}>
                Save
              </DownloadButton>
            </div>
          </li>
        ))}
      </ul>
      {open !== undefined && (
        <DocumentView
          key={open.documentId}
          title={titleOf(open)}
          address={addressOf(merchantId, open)}
          document={open}
          steps={steps}
          next={nextOf(documents, open, setOpen)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

const addressOf = (merchantId: string, { documentId }: MerchantDocument) =>
  `/operator/merchant/${merchantId}/document/${documentId}/content`;

/** On to the paper after this one, from the last to the first. */
function nextOf(
  documents: readonly MerchantDocument[],
  open: MerchantDocument,
  show: (document: MerchantDocument) => void,
): (() => void) | undefined {
  const next = documents[(documents.indexOf(open) + 1) % documents.length];
  return next === undefined || next === open ? undefined : () => show(next);
}

const titleOf = ({ kind, fileName }: MerchantDocument) => DOCUMENTS.find((one) => one.kind === kind)?.title ?? fileName;
