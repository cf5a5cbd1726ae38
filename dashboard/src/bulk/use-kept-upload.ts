import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMode } from '../api/session.ts';
import { NO_WISHES, type UploadSettings, type Wishes } from './upload-form.ts';
import type { ChosenFile } from './use-preview.ts';

/** Why a file is not a list yet. */
export interface Refused {
  message: string;
  /** It stays at hand where sending it once more can help: nobody looks for it a second time. */
  file: File | undefined;
}

/** A file that is to become a list, with everything that was said about it. */
export interface KeptUpload {
  chosen: ChosenFile | undefined;
  settings: UploadSettings;
  wishes: Wishes;
  refused: Refused | undefined;
}

export const NO_UPLOAD: KeptUpload = {
  chosen: undefined,
  settings: { purpose: '', controlCount: '', controlTotal: '' },
  wishes: NO_WISHES,
  refused: undefined,
};

/**
 * Who looks at another page and comes back finds the file that was chosen, and how it is to be read. It is in the memory of
 * the tab, by mode, and goes with everything else of a person who signs out.
 */
export function useKeptUpload(): [kept: KeptUpload, change: (change: Partial<KeptUpload>) => void] {
  const queries = useQueryClient();
  const queryKey = ['upload', useMode()];
  const forEver = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY };
  const { data } = useQuery<KeptUpload>({ queryKey, enabled: false, initialData: NO_UPLOAD, ...forEver });
  return [data, (change) => queries.setQueryData<KeptUpload>(queryKey, (before) => before && { ...before, ...change })];
}
