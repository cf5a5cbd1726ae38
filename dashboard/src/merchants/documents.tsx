import { useEffect, useState } from 'react';
import { messageOf } from '../api/errors.ts';
import { fetchFile } from '../api/files.ts';
import { useMode } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Dialog } from '../components/dialog.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Skeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';
import { formatBytes } from '../format/text.ts';
import { formatDay } from '../format/time.ts';
import { DOCUMENTS } from '../onboarding/document-words.ts';
import { BUSINESS_TYPES, STEP_FIELDS, type Step } from '../onboarding/step-fields.ts';
import type { MerchantDocument } from './merchant.tsx';

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

interface DocumentViewProps {
  title: string;
  address: string;
  document: MerchantDocument;
  /** What the merchant says of itself, to compare. */
  steps: readonly Step[];
  next: (() => void) | undefined;
  onClose: () => void;
}

/** Shows a picture here, beside what it has to prove. Other papers are saved and opened outside, so that a stranger's file never runs in this page. */
function DocumentView({ title, address, document, steps, next, onClose }: DocumentViewProps) {
  const isPicture = document.contentType.startsWith('image/');
  const actions = next !== undefined && <Button onClick={next}>Next document</Button>;
  return (
    <Dialog
      open
      kind="wide"
      onClose={onClose}
      title={title}
      description={document.fileName}
      {...(actions === false ? {} : { actions })}
    >
      <div className="grid items-start gap-6 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex flex-col items-start gap-4">
          {isPicture ? (
            <Picture address={address} name={document.fileName} />
          ) : (
            <p>
              This is a {document.contentType === 'application/pdf' ? 'PDF' : document.contentType}. Save it and open it
              there: a stranger's file is not opened in this page.
            </p>
          )}
          <DownloadButton address={address} fileName={document.fileName}>
            Save {document.fileName}
          </DownloadButton>
        </div>
        <MerchantDetails steps={steps} />
      </div>
    </Dialog>
  );
}

/** What the merchant says of itself, in the words of the review. */
function MerchantDetails({ steps }: { steps: readonly Step[] }) {
  const said = steps.filter(({ key }) => key !== 'BUSINESS_DOCUMENTS');
  const items = said.flatMap(itemsOf).filter(({ value }) => value !== '');
  return (
    <div>
      <h3 className="mb-2 font-semibold">Its details</h3>
      <DescriptionList layout="rows" items={items} />
    </div>
  );
}

function Picture({ address, name }: { address: string; name: string }) {
  const mode = useMode();
  const [source, setSource] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let url: string | undefined;
    let isGone = false;
    fetchFile(address, mode)
      .then((blob) => {
        if (isGone) return;
        url = URL.createObjectURL(blob);
        setSource(url);
      })
      .catch((error: unknown) => setProblem(messageOf(error)));
    return () => {
      isGone = true;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [address, mode]);
  if (problem !== undefined) return <Alert tone="bad">{problem}</Alert>;
  if (source === undefined) return <Skeleton className="h-80 w-full" />;
  return <img src={source} alt={name} className="mx-auto max-h-[70dvh] rounded-control" />;
}

const ACCOUNT_LABELS: Record<string, string> = {
  bankCode: 'Bank code',
  bankName: 'Bank',
  accountNumber: 'Account number',
  accountName: 'Name on the account',
  verifiedIn: 'Source of the name',
};

/** What the fields of the profile are called, as the merchant reads them. */
const LABELS: Record<string, string> = {
  ...Object.fromEntries(
    Object.values(STEP_FIELDS)
      .flat()
      .map(({ name, label }) => [name, label]),
  ),
  ...ACCOUNT_LABELS,
};

export interface ReviewItem {
  field: string;
  label: string;
  /** Empty: not given. */
  value: string;
  /** What is in force, where an accepted merchant wants it changed; undefined where it stays. */
  before: string | undefined;
}

/** A step as a reviewer reads it. */
export function itemsOf({ values, before }: Step): ReviewItem[] {
  return Object.entries(values).map(([field, value]) => ({
    field,
    label: LABELS[field] ?? field,
    value: shownAs(field, value),
    before: before[field] === undefined ? undefined : shownAs(field, before[field]),
  }));
}

function shownAs(field: string, value: string): string {
  if (value === '') return '';
  if (field === 'businessType') return BUSINESS_TYPES.find((type) => type.value === value)?.label ?? value;
  if (field === 'directorDateOfBirth') return formatDay(`${value}T12:00:00Z`);
  if (field === 'verifiedIn') return value === 'LIVE' ? "The bank's" : 'The sandbox: no bank was asked';
  return value;
}
