import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { isAnswered } from '../api/action.ts';
import { call } from '../api/call.ts';
import { nowMs } from '../api/clock.ts';
import { ApiError } from '../api/errors.ts';
import { watchUpload } from '../api/files.ts';
import { useMode, useSession } from '../api/session.ts';
import type { Mode } from '../api/types.ts';
import { askBeforeLeaving } from './leaving-warning.ts';
import { dropAttempt, keepAttempt, unansweredUploads } from './upload-attempts.ts';
import { formOf, type UploadForm } from './upload-form.ts';

export interface Upload {
  /** Sends the file and gives the reference of the batch that it became. @throws ApiError */
  send(file: File, asked: UploadForm): Promise<string>;
  /** Bytes on their way, and of how many; undefined while nothing is in this mode. */
  sent: OnItsWay | undefined;
}

interface OnItsWay {
  fileName: string;
  mode: Mode;
  bytes: number;
  total: number;
}

/** Of the tab, not of a page: a file goes on while somebody looks at another page, and who comes back finds it. */
let onItsWay: OnItsWay | undefined;
const listeners = new Set<() => void>();

function setOnItsWay(next: OnItsWay | undefined): void {
  onItsWay = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * A file on its way to becoming a batch, with how much of it has gone. After a cut line, or a reload, the same file goes
 * again under the key that it had, so it becomes one batch however often it is sent; another file is another request.
 */
export function useUpload(): Upload {
  const mode = useMode();
  const { personId } = useSession().person;
  const queries = useQueryClient();
  const sent = useSyncExternalStore(subscribe, () => onItsWay);

  async function deliver(file: File, asked: UploadForm): Promise<string> {
    const fingerprint = fingerprintOf(mode, file, asked);
    const earlier = unansweredUploads(personId).find((one) => one.fingerprint === fingerprint);
    const { key } = earlier ?? { key: crypto.randomUUID() };
    const attempt = { key, fingerprint, fileName: file.name, mode, begunAt: nowMs(), isSeen: false };
    keepAttempt(personId, attempt);
    let wasUnanswered = earlier !== undefined;
    const onLost = () => {
      wasUnanswered = true;
    };
    const fetch = watchUpload((bytes, total) =>
      setOnItsWay({ fileName: file.name, mode, bytes, total: total ?? bytes }),
    );
    try {
      const body = formOf(file, asked);
      const { batchReference, warnings } = await call('post', '/payout/bulk', { body }, { mode, key, onLost, fetch });
      dropAttempt(personId, attempt);
      queries.setQueryData(['upload-warnings', batchReference], warnings);
      return batchReference;
    } catch (error) {
      if (isAbout(error, wasUnanswered)) dropAttempt(personId, attempt);
      throw isLost(error) ? cutOff(file) : error;
    } finally {
      void queries.invalidateQueries({ queryKey: [mode, '/payout/bulk'] });
    }
  }

  return {
    async send(file, asked) {
      if (onItsWay !== undefined) throw new ApiError(ONE_AT_A_TIME, { code: 'UPLOAD_UNDER_WAY', status: 409 });
      setOnItsWay({ fileName: file.name, mode, bytes: 0, total: file.size });
      const stopAsking = askBeforeLeaving();
      try {
        return await deliver(file, asked);
      } finally {
        stopAsking();
        setOnItsWay(undefined);
      }
    },
    sent: sent?.mode === mode ? sent : undefined,
  };
}

const ONE_AT_A_TIME = 'Another file is on its way. Drop this one when it has arrived.';

function fingerprintOf(mode: Mode, { name, size, lastModified }: File, asked: UploadForm): string {
  return JSON.stringify([mode, name, size, lastModified, asked]);
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
