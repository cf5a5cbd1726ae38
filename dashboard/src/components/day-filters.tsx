import { useEffect, useId, useRef, useState } from 'react';
import { endsBeforeItBegins, type Period } from '../format/period.ts';
import type { FilterProps } from './filters.tsx';

/** A day in Lagos. It takes effect once its year is whole. */
export function DayFilter({ label, value, onChange, required }: FilterProps & { required?: boolean }) {
  const { fieldOf } = useTypedDays({ day: value }, required, (days) => {
    onChange(days.day);
    return true;
  });
  return <DayField label={label} required={required} {...fieldOf('day')} />;
}

interface DaysFilterProps {
  from: string | undefined;
  to: string | undefined;
  required?: boolean;
  onChange: (days: Period) => void;
}

/** From a day to a day, both included. They take effect once they are a period; until then a sentence says what is wrong. */
export function DaysFilter({ from, to, required, onChange }: DaysFilterProps) {
  const id = useId();
  const { whole, fieldOf } = useTypedDays({ from, to }, required, (days) => {
    if (endsBeforeItBegins(days)) return false;
    onChange(days);
    return true;
  });
  const isNone = endsBeforeItBegins(whole);
  return (
    <div>
      <div className="flex gap-3 *:min-w-0 *:flex-1">
        <DayField label="From" required={required} {...fieldOf('from')} />
        <DayField label="To" required={required} wrong={isNone ? id : undefined} {...fieldOf('to')} />
      </div>
      {isNone && (
        <p id={id} role="alert" className="mt-1 text-xs text-bad">
          To is before From: choose a later day.
        </p>
      )}
    </div>
  );
}

interface DayFieldProps {
  label: string;
  required: boolean | undefined;
  /** The element that says what is wrong with it. */
  wrong?: string | undefined;
  typed: string;
  onType: (text: string) => void;
  onLeave: () => void;
}

function DayField({ label, required, wrong, typed, onType, onLeave }: DayFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-xs text-muted">
        {label}
      </label>
      <input
        id={id}
        type="date"
        className="control"
        required={required}
        aria-invalid={wrong === undefined ? undefined : true}
        aria-describedby={wrong}
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onBlur={onLeave}
      />
    </div>
  );
}

/** While a year is typed it is 0002 first, and 20262 where one goes on: days of such years are not meant. */
const OF_OUR_TIME = /^[12]\d{3}-/;

type Days<K extends string> = Readonly<Record<K, string | undefined>>;

/**
 * Days that belong together, as they are typed and as they are whole, beside those in the address.
 * @param report puts whole days into the address, or says that they cannot be meant
 */
function useTypedDays<K extends string>(
  value: Days<K>,
  required: boolean | undefined,
  report: (days: Days<K>) => boolean,
) {
  const [{ typed, whole }, set] = useState({ typed: value, whole: value });
  const latest = useRef(value);
  latest.current = value;
  const address = JSON.stringify(value);
  // What stands in the address, and what was reported since: it gets there a moment later.
  const reported = useRef([address]);
  // Chosen otherwise, or gone back to: that is shown.
  useEffect(() => {
    const at = reported.current.lastIndexOf(address);
    reported.current = at < 0 ? [address] : reported.current.slice(at);
    if (at < 0) set({ typed: latest.current, whole: latest.current });
  }, [address]);

  function type(name: K, text: string): void {
    const isWhole = text === '' ? required !== true : OF_OUR_TIME.test(text);
    const next = isWhole ? { ...whole, [name]: text === '' ? undefined : text } : whole;
    set({ typed: { ...typed, [name]: text }, whole: next });
    if (isWhole && report(next)) reported.current.push(JSON.stringify(next));
  }

  const fieldOf = (name: K) => ({
    typed: typed[name] ?? '',
    onType: (text: string) => type(name, text),
    onLeave: () => set({ typed: whole, whole }),
  });
  return { whole, fieldOf };
}
