import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../components/button.tsx';
import { Checkbox } from '../components/choices.tsx';
import type { Column } from '../components/table.tsx';
import type { ViewList } from './filter-fields.ts';
import { Popover } from './popover.tsx';

/** A column that may be chosen. The first of a list always is: it opens the record. */
export interface ChoosableColumn<T> extends Column<T> {
  /** What it is called where it is chosen. */
  label: string;
  /** Its columns in the file, as the interface calls them. */
  csv: readonly string[];
  /** Not there unless it is chosen. */
  isExtra?: boolean;
}

export interface ChosenColumns<T> {
  shown: ChoosableColumn<T>[];
  /** As it stands in the address and in a view; empty for those that the list has by default. */
  names: string[];
  choose: (names: readonly string[]) => void;
  /** For the file: exactly what is shown. */
  csv: string;
}

/** In the address: those that the list has by default, whatever this browser chose last. */
export const USUAL_COLUMNS = 'usual';

const keptKey = (list: ViewList) => `manilla.columns.${list}`;

function keptColumns(list: ViewList): string | undefined {
  try {
    return localStorage.getItem(keptKey(list)) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Which columns a list shows, in which order: as the address says, or else as this browser chose last.
 * @param given `columns` of the address
 */
export function useColumns<T>(
  list: ViewList,
  all: readonly ChoosableColumn<T>[],
  given: string | undefined,
  onChange: (columns: string | undefined) => void,
): ChosenColumns<T> {
  const [kept, setKept] = useState(() => keptColumns(list));
  const usual = all.filter((column) => column.isExtra !== true);
  const [first] = all;
  const wanted = (given ?? kept ?? '').split(',');
  const chosen = wanted.flatMap((key) => all.filter((column) => column.key === key));
  const rest = chosen.filter((column) => column !== first);
  const shown = chosen.length === 0 || first === undefined ? usual : [first, ...new Set(rest)];
  const isUsual = shown.map(({ key }) => key).join() === usual.map(({ key }) => key).join();
  return {
    shown,
    names: isUsual ? [] : shown.map(({ key }) => key),
    csv: [...new Set(shown.flatMap((column) => column.csv))].join(','),
    choose: (names) => {
      const text = names.length === 0 ? undefined : names.join(',');
      try {
        if (text === undefined) localStorage.removeItem(keptKey(list));
        else localStorage.setItem(keptKey(list), text);
      } catch {
        // A browser that keeps nothing: the address has it.
      }
      setKept(text);
      onChange(text);
    },
  };
}

/** Where columns are chosen and put in order. */
export function ColumnsButton<T>({ all, chosen }: { all: readonly ChoosableColumn<T>[]; chosen: ChosenColumns<T> }) {
  const [first, ...others] = all;
  const { shown, choose } = chosen;
  const keys = shown.map(({ key }) => key);
  const hidden = others.filter(({ key }) => !keys.includes(key));
  const move = (key: string, by: -1 | 1) => {
    const at = keys.indexOf(key);
    const next = keys.toSpliced(at, 1);
    choose(next.toSpliced(at + by, 0, key));
  };
  return (
    <Popover name="Columns" label="Columns" icon={Columns3} size="small" align="end">
      <p className="mb-2 text-xs text-muted">
        {first?.label} comes first. The file has these columns too, and a small screen shows fewer.
      </p>
      <ul className="flex flex-col gap-1">
        {[...shown.slice(1), ...hidden].map(({ key, label }) => {
          const at = keys.indexOf(key);
          return (
            <li key={key} className="flex min-h-9 items-center justify-between gap-2">
              <Checkbox
                label={label}
                checked={at >= 0}
                onChange={(event) => choose(event.target.checked ? [...keys, key] : keys.filter((one) => one !== key))}
              />
              {at > 0 && (
                <span className="flex">
                  <IconButton
                    icon={ArrowUp}
                    label={`Move ${label} up`}
                    disabled={at === 1}
                    onClick={() => move(key, -1)}
                  />
                  <IconButton
                    icon={ArrowDown}
                    label={`Move ${label} down`}
                    disabled={at === keys.length - 1}
                    onClick={() => move(key, 1)}
                  />
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <Button
        size="small"
        look="quiet"
        className="mt-2"
        disabled={chosen.names.length === 0}
        onClick={() => choose([])}
      >
        As it was
      </Button>
    </Popover>
  );
}
