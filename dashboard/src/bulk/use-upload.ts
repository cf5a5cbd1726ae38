import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { isAnswered } from '../api/action.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/errors.ts';
import { watchUpload } from '../api/files.ts';
import { useMode } from '../api/session.ts';
import type { Mode } from '../api/types.ts';
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

/** What one `Idempotency-Key` stands for: this file, read in this way, until there is an answer about it. */
interface Attempt {
  key: string;
  fingerprint: string;
}

/** Of the tab, not of a page: a file goes on while somebody looks at another page, and who comes back finds it. */
let onItsWay: OnItsWay | undefined;
let unanswered: Attempt | undefined;
const listeners = new Set<() => void>();

function setOnItsWay(next: OnItsWay | undefined): void {
  onItsWay = next;
  // It is lost with the tab: the browser asks before it is closed.
  if (next === undefined) removeEventListener('beforeunload', askFirst);
  else addEventListener('beforeunload', askFirst);
  for (const listener of listeners) listener();
}

function askFirst(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * A file on its way to becoming a batch, with how much of it has gone. After a cut line the same file goes again under
 * the key that it had, so it becomes one batch however often it is sent; another file is another request.
 */
export function useUpload(): Upload {
  const mode = useMode();
  const queries = useQueryClient();
  const sent = useSyncExternalStore(subscribe, () => onItsWay);

  async function deliver(file: File, asked: UploadForm): Promise<string> {
    const fingerprint = fingerprintOf(mode, file, asked);
    const earlier = unanswered?.fingerprint === fingerprint ? unanswered : undefined;
    const attempt = earlier ?? { key: crypto.randomUUID(), fingerprint };
    unanswered = attempt;
    let wasUnanswered = earlier !== undefined;
    const onLost = () => {
      wasUnanswered = true;
    };
    const fetch = watchUpload((bytes, total) =>
      setOnItsWay({ fileName: file.name, mode, bytes, total: total ?? bytes }),
    );
    try {
      const body = formOf(file, asked);
      const { batchReference, warnings } = await call(
        'post',
        '/payout/bulk',
        { body },
        { mode, key: attempt.key, onLost, fetch },
      );
      unanswered = undefined;
      queries.setQueryData(['upload-warnings', batchReference], warnings);
      return batchReference;
    } catch (error) {
      if (isAbout(error, wasUnanswered)) unanswered = undefined;
      throw isLost(error) ? cutOff(file) : error;
    } finally {
      void queries.invalidateQueries({ queryKey: [mode, '/payout/bulk'] });
    }
  }

  return {
    async send(file, asked) {
      if (onItsWay !== undefined) throw new ApiError(ONE_AT_A_TIME, { code: 'UPLOAD_UNDER_WAY', status: 409 });
      setOnItsWay({ fileName: file.name, mode, bytes: 0, total: file.size });
      try {
        return await deliver(file, asked);
      } finally {
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
