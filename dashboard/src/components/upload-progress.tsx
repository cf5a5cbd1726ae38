import { useMemo, useState } from 'react';
import { watchUpload } from '../api/files.ts';
import { formatBytes } from '../format/text.ts';
import { Progress } from './states.tsx';

interface Sent {
  bytes: number;
  total: number;
}

interface WatchedUpload {
  /** For `useAction(…, { fetch })`. */
  fetch: ReturnType<typeof watchUpload>;
  /** Sends the file, and knows how much of it has gone until there is an answer. */
  watch<T>(file: File, send: () => Promise<T>): Promise<T>;
  /** Bytes on their way, and of how many; undefined while nothing is sent. */
  sent: Sent | undefined;
}

/** A form with a file on its way to the service. */
export function useWatchedUpload(): WatchedUpload {
  const [sent, setSent] = useState<Sent>();
  const fetch = useMemo(() => watchUpload((bytes, total) => setSent({ bytes, total: total ?? bytes })), []);

  async function watch<T>(file: File, send: () => Promise<T>): Promise<T> {
    setSent({ bytes: 0, total: file.size });
    try {
      return await send();
    } finally {
      setSent(undefined);
    }
  }
  return { fetch, watch, sent };
}

/** First the bytes go, then the file is read, which takes a while for a large one. @param reading what is said of that. */
export function UploadProgress({ sent, reading }: { sent: Sent | undefined; reading: string }) {
  if (sent === undefined) return null;
  const { bytes, total } = sent;
  const isThere = bytes >= total;
  return (
    <div role="status">
      <Progress
        label={isThere ? reading : 'Being sent'}
        done={bytes}
        total={total}
        text={isThere ? undefined : `${formatBytes(bytes)} of ${formatBytes(total)}`}
      />
    </div>
  );
}
