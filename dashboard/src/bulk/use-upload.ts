import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isAnswered } from '../api/action.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/errors.ts';
import { watchUpload } from '../api/files.ts';
import { useMode } from '../api/session.ts';
import { formOf, type UploadForm } from './upload-form.ts';
import { useLeavingWarning } from './use-leaving-warning.ts';

export interface Upload {
  /** Sends the file and gives the reference of the batch that it became. @throws ApiError */
  send(file: File, asked: UploadForm): Promise<string>;
  /** Bytes on their way, and of how many; undefined while nothing is. */
  sent: { bytes: number; total: number } | undefined;
}

/** What one `Idempotency-Key` stands for: this file, read in this way, until there is an answer about it. */
interface Attempt {
  key: string;
  fingerprint: string;
}

/**
 * A file on its way to becoming a batch, with how much of it has gone. After a cut line the same file goes again under
 * the key that it had, so it becomes one batch however often it is sent; another file is another request.
 */
export function useUpload(): Upload {
  const mode = useMode();
  const queries = useQueryClient();
  const [sent, setSent] = useState<Upload['sent']>();
  const unanswered = useRef<Attempt>(undefined);
  const underWay = useRef(false);
  useLeavingWarning(sent !== undefined);

  async function deliver(file: File, asked: UploadForm): Promise<string> {
    const fingerprint = fingerprintOf(file, asked);
    const earlier = unanswered.current?.fingerprint === fingerprint ? unanswered.current : undefined;
    const attempt = earlier ?? { key: crypto.randomUUID(), fingerprint };
    unanswered.current = attempt;
    let wasUnanswered = earlier !== undefined;
    const onLost = () => {
      wasUnanswered = true;
    };
    const fetch = watchUpload((bytes, total) => setSent({ bytes, total: total ?? bytes }));
    try {
      const body = formOf(file, asked);
      const { batchReference, warnings } = await call(
        'post',
        '/payout/bulk',
        { body },
        { mode, key: attempt.key, onLost, fetch },
      );
      unanswered.current = undefined;
      queries.setQueryData(['upload-warnings', batchReference], warnings);
      return batchReference;
    } catch (error) {
      if (isAbout(error, wasUnanswered)) unanswered.current = undefined;
      throw isLost(error) ? cutOff(file) : error;
    } finally {
      void queries.invalidateQueries({ queryKey: [mode, '/payout/bulk'] });
    }
  }

  return {
    async send(file, asked) {
      if (underWay.current) throw new ApiError(ONE_AT_A_TIME, { code: 'UPLOAD_UNDER_WAY', status: 409 });
      underWay.current = true;
      setSent({ bytes: 0, total: file.size });
      try {
        return await deliver(file, asked);
      } finally {
        underWay.current = false;
        setSent(undefined);
      }
    },
    sent,
  };
}

const ONE_AT_A_TIME = 'Another file is on its way. Drop this one when it has arrived.';

function fingerprintOf({ name, size, lastModified }: File, asked: UploadForm): string {
  return JSON.stringify([name, size, lastModified, asked]);
}

const isLost = (error: unknown): boolean => error instanceof ApiError && error.code === 'CONNECTION_LOST';

/** Refusals of the caller: they come before the request itself is looked at. So does a page of a proxy (`HTTP_413`). */
const OF_THE_CALLER = [401, 403, 429];

/** Whether an error is an answer about the upload. While an earlier attempt has none, a refusal of the caller is none. */
function isAbout(error: unknown, wasUnanswered: boolean): boolean {
  if (!(error instanceof ApiError) || !isAnswered(error)) return false;
  return !(wasUnanswered && (OF_THE_CALLER.includes(error.status) || error.code.startsWith('HTTP_')));
}

function cutOff({ name }: File): ApiError {
  return new ApiError(
    `The connection was lost while ${name} was on its way. Nothing is paid by uploading: send it again, and it becomes ` +
      'one list however often it is sent.',
    { code: 'CONNECTION_LOST', status: 0 },
  );
}
