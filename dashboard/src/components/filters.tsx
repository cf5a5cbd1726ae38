import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Select } from './select.tsx';

/** The row of filters above a list. Filters live in the address: see `listSearch`. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <search className="mb-4 flex flex-wrap items-end gap-3 [&>*]:w-full sm:[&>*]:w-auto" aria-label="Filters">
      {children}
    </search>
  );
}

export interface FilterProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

const PAUSE_MS = 300;

/** Waits for a pause in the typing. */
export function SearchFilter({ label, value, onChange, placeholder }: FilterProps & { placeholder?: string }) {
  const id = useId();
  const [typed, setTyped] = useState(value ?? '');
  const reported = useRef(value);
  const report = useRef(onChange);
  report.current = onChange;
  // Cleared by a button, or gone back to: what stands in the address is shown, and not reported again.
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setTyped(value ?? '');
  }, [value]);
  useEffect(() => {
    const wanted = typed.trim() === '' ? undefined : typed.trim();
    if (wanted === reported.current) return;
    const timer = setTimeout(() => {
      reported.current = wanted;
      report.current(wanted);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div className="relative sm:min-w-84">
      <label htmlFor={id} className="mb-1 block text-xs text-muted">
        {label}
      </label>
      <Search className="pointer-events-none absolute bottom-3 left-3 size-4 text-muted" aria-hidden />
      <input
        id={id}
        type="search"
        className="control pl-9"
        placeholder={placeholder}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
}

export function SelectFilter(
  props: FilterProps & {
    options: readonly { value: string; label: string }[];
    /** What no choice is called; without it one is always chosen. */
    all?: string;
  },
) {
  const { label, value, onChange, options, all } = props;
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-xs text-muted">
        {label}
      </label>
      <Select
        id={id}
        {...(all === undefined ? {} : { placeholder: all })}
        options={options}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
      />
    </div>
  );
}
