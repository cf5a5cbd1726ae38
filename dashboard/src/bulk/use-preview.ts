import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import type { ApiError } from '../api/errors.ts';
import { useMode } from '../api/session.ts';
import { formOf, type Preview, type UploadForm } from './upload-form.ts';

/** A file that was chosen; `id` tells it from the same one chosen again. */
export interface ChosenFile {
  file: File;
  id: string;
}

/** An answer, and what was asked. */
interface Answered {
  preview: Preview;
  fields: UploadForm;
}

/** How the chosen file would be read: asked anew with everything that is settled. The answer before stays in sight. */
export function usePreview(chosen: ChosenFile | undefined, fields: UploadForm): UseQueryResult<Answered, ApiError> {
  const mode = useMode();
  const settled = useSettled(JSON.stringify(fields));
  return useQuery<Answered, ApiError>({
    queryKey: [mode, 'file-preview', chosen?.id, settled],
    queryFn: async ({ signal }) => {
      if (chosen === undefined) throw new Error('no file was chosen');
      const asked = JSON.parse(settled) as UploadForm;
      const body = formOf(chosen.file, asked);
      return { preview: await call('post', '/payout/bulk/preview', { body }, { mode, signal }), fields: asked };
    },
    enabled: chosen !== undefined,
    placeholderData: (before, query) => (query?.queryKey[2] === chosen?.id ? keepPreviousData(before) : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}

/** Whether an answer is about another reading than the one that is asked for now; a narration changes no other cell. */
export function isOfAnother({ fields }: Answered, now: UploadForm): boolean {
  return Object.keys({ ...fields, ...now }).some((name) => name !== 'defaults' && fields[name] !== now[name]);
}

/** Longer than between two keys. */
const TYPING_MS = 350;

/** A text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
