import { useId } from 'react';
import { Select } from '../components/select.tsx';
import {
  type FileColumn,
  type FileField,
  fieldNow,
  keyOfColumn,
  type Understood,
  type Wishes,
  withColumn,
} from './upload-form.ts';

const NOT_USED = 'none';
const FIELDS: readonly { value: FileField; label: string }[] = [
  { value: 'accountName', label: 'Name' },
  { value: 'bankName', label: 'Bank' },
  { value: 'bankCode', label: 'Bank code' },
  { value: 'accountNumber', label: 'Account number' },
  { value: 'amount', label: 'Amount' },
  { value: 'narration', label: 'Narration' },
  { value: 'phoneNumber', label: 'Phone' },
];
const OPTIONS = [{ value: NOT_USED, label: 'Not used' }, ...FIELDS];

const FROM: Readonly<Record<NonNullable<Understood['mappingFrom']>, string>> = {
  GIVEN: 'As you settled it. It is remembered for the next file with this header.',
  REMEMBERED: 'As in your last file with this header.',
  GUESSED: 'By the names of the columns. Look whether each is what it says.',
};

export interface FileColumnsProps {
  understood: Understood;
  wishes: Wishes;
  onWish: (wishes: Wishes) => void;
}

/** Each column of the file with what stands in it, and what it is read as. */
export function FileColumns({ understood, wishes, onWish }: FileColumnsProps) {
  const { columns, mappingFrom: from } = understood;
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="text-sm font-medium">
        Columns
      </h3>
      {from !== null && <p className="-mt-1 text-xs text-muted">{FROM[from]}</p>}
      <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {columns.map((column) => (
          <ColumnChoice
            key={column.column}
            column={column}
            field={fieldNow(wishes, columns, column)}
            onField={(field) => onWish(withColumn(wishes, keyOfColumn(columns, column), field))}
          />
        ))}
      </ul>
    </section>
  );
}

interface ColumnChoiceProps {
  column: FileColumn;
  field: FileField | null;
  onField: (field: FileField | null) => void;
}

function ColumnChoice({ column, field, onField }: ColumnChoiceProps) {
  const { candidate, header, samples } = column;
  const isOpen = candidate !== null && field === null;
  const name = header === '' ? `Column ${column.column}` : header;
  const id = useId();
  return (
    <li className="flex flex-col gap-1.5 rounded-control border bg-sunken p-2.5">
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="min-w-0 text-sm font-medium wrap-anywhere">
          {name}
        </label>
        <span className="shrink-0 text-xs text-muted">
          {!isOpen ? (
            column.column
          ) : (
            <span className="rounded-full bg-warn-soft px-2 py-0.5 font-medium text-warn">Is this it?</span>
          )}
        </span>
      </div>
      <p className="truncate text-xs text-muted" title={samples.join(' · ')}>
        {samples.length === 0 ? 'Nothing in the first rows' : samples.join(' · ')}
      </p>
      <Select
        id={id}
        {...(!isOpen ? {} : { placeholder: `Could be the ${labelOf(candidate).toLowerCase()}` })}
        options={OPTIONS}
        value={field ?? (isOpen ? '' : NOT_USED)}
        onChange={(event) => {
          const { value } = event.target;
          if (value !== '') onField(value === NOT_USED ? null : (value as FileField));
        }}
      />
    </li>
  );
}

const labelOf = (field: FileField): string => FIELDS.find(({ value }) => value === field)?.label ?? field;
