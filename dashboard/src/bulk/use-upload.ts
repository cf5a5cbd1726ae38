import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useAction } from '../api/action.ts';
import { watchUpload } from '../api/watch-upload.ts';

export interface UploadSettings {
  purpose: string;
  /** As typed; empty where nothing is checked. */
  controlCount: string;
  controlTotal: string;
}

export interface Upload {
  /** Sends the file and gives the reference of the batch that it became. @throws ApiError */
  send(file: File, settings: UploadSettings): Promise<string>;
  isPending: boolean;
  /** Bytes on their way, and of how many. */
  sent: { bytes: number; total: number } | undefined;
}

/** A file on its way to becoming a batch, with how much of it has gone. */
export function useUpload(): Upload {
  const queries = useQueryClient();
  const [sent, setSent] = useState<{ bytes: number; total: number }>();
  const fetch = useMemo(() => watchUpload((bytes, total) => setSent({ bytes, total: total ?? bytes })), []);
  const create = useAction('post', '/payout/bulk', { changes: ['/payout/bulk'], fetch });
  useWarningBeforeLeaving(create.isPending);

  async function send(file: File, settings: UploadSettings): Promise<string> {
    const form = new FormData();
    // The service reads the settings before it takes the rows in.
    for (const [name, value] of Object.entries(settings)) if (value.trim() !== '') form.append(name, value.trim());
    form.append('file', file);
    setSent({ bytes: 0, total: file.size });
    try {
      const { batchReference, warnings } = await create.run({ body: form });
      queries.setQueryData(['upload-warnings', batchReference], warnings);
      return batchReference;
    } finally {
      setSent(undefined);
    }
  }
  return { send, isPending: create.isPending, sent };
}

/** A tab that is closed in the middle loses the upload: the browser asks first. */
function useWarningBeforeLeaving(busy: boolean): void {
  useEffect(() => {
    if (!busy) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [busy]);
}
