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
import type { Step } from '../onboarding/step-fields.ts';
import type { MerchantDocument } from './merchant.ts';
import { itemsOf } from './review-words.ts';

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
export function DocumentView({ title, address, document, steps, next, onClose }: DocumentViewProps) {
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
        <Claims steps={steps} />
      </div>
    </Dialog>
  );
}

/** What the merchant says of itself, in the words of the review. */
function Claims({ steps }: { steps: readonly Step[] }) {
  const said = steps.filter(({ key }) => key !== 'BUSINESS_DOCUMENTS');
  const items = said.flatMap(itemsOf).filter(({ value }) => value !== '');
  return (
    <div>
      <h3 className="mb-2 font-semibold">What it says of itself</h3>
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
