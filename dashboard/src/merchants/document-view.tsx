import { useEffect, useState } from 'react';
import { fetchFile } from '../api/download.ts';
import { messageOf } from '../api/errors.ts';
import { useMode } from '../api/mode.ts';
import { Alert } from '../components/alert.tsx';
import { Dialog } from '../components/dialog.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Skeleton } from '../components/states.tsx';
import type { MerchantDocument } from './merchant.ts';

interface DocumentViewProps {
  title: string;
  address: string;
  document: MerchantDocument;
  onClose: () => void;
}

/** Shows a picture here. Other papers are saved and opened outside, so that a stranger's file never runs in this page. */
export function DocumentView({ title, address, document, onClose }: DocumentViewProps) {
  const isPicture = document.contentType.startsWith('image/');
  return (
    <Dialog open kind="wide" onClose={onClose} title={title} description={document.fileName}>
      {isPicture ? (
        <Picture address={address} name={document.fileName} />
      ) : (
        <div className="flex flex-col items-start gap-4">
          <p>
            This is a {document.contentType === 'application/pdf' ? 'PDF' : document.contentType}. Save it and open it
            there.
          </p>
          <DownloadButton address={address} fileName={document.fileName}>
            Save {document.fileName}
          </DownloadButton>
        </div>
      )}
    </Dialog>
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
