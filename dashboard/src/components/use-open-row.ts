import { useState } from 'react';

export interface OpenRow<T> {
  /** Undefined: no dialog is open. */
  row: T | undefined;
  open: (row: T) => void;
  close: () => void;
}

/**
 * The row of a list whose dialog is open, as the list has it now: what changes meanwhile is in the dialog at once. A row
 * that has left the list stays as it was last.
 * @param rows undefined while they are read
 */
export function useOpenRow<T>(rows: readonly T[] | undefined, keyOf: (row: T) => string): OpenRow<T> {
  const [opened, setOpened] = useState<T>();
  const row = opened === undefined ? undefined : (rows?.find((each) => keyOf(each) === keyOf(opened)) ?? opened);
  return { row, open: setOpened, close: () => setOpened(undefined) };
}
