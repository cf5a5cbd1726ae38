import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../api/errors.ts';
import { downloadFile } from '../api/files.ts';
import { useMode } from '../api/session.ts';
import { formatBytes } from '../format/text.ts';
import { Button } from './button.tsx';
import { toast } from './toast.tsx';

export interface DownloadButtonProps {
  /** The address of the operation: `/payout/bulk/MNB…/result.csv`. */
  address: string;
  fileName: string;
  size?: 'small' | 'medium';
  children: ReactNode;
}

/** Fetches a file of the service and shows how much of it has come. */
export function DownloadButton({ address, fileName, size = 'medium', children }: DownloadButtonProps) {
  const mode = useMode();
  const [bytes, setBytes] = useState<number>();

  async function start(): Promise<void> {
    setBytes(0);
    try {
      await downloadFile(address, mode, fileName, setBytes);
    } catch (error) {
      toast({ tone: 'bad', text: messageOf(error) });
    } finally {
      setBytes(undefined);
    }
  }

  return (
    <Button size={size} icon={Download} busy={bytes !== undefined} onClick={() => void start()}>
      {children}
      {bytes !== undefined && bytes > 0 && <span className="figures text-muted">{formatBytes(bytes)}</span>}
    </Button>
  );
}
