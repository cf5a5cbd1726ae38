import { Check } from 'lucide-react';
import { useId } from 'react';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Labelled } from '../components/field.tsx';
import { Input } from '../components/inputs.tsx';
import { Select } from '../components/select.tsx';
import { type Column, Table } from '../components/table.tsx';
import { formatCount, formatMoney } from '../format/money.ts';
import { FileColumns } from './file-columns.tsx';
import { saidOfRow } from './item-fields.ts';
import { LeftOutRows } from './left-out-rows.tsx';
import { salaryNarration } from './narration-month.ts';
import type { Preview, Understood, Wishes } from './upload-form.ts';

export interface FilePreviewProps {
  fileName: string;
  preview: Preview;
  /** Another answer is on its way. */
  isStale: boolean;
  /** What is shown is not what would be made. */
  isOfAnother: boolean;
  wishes: Wishes;
  onWish: (wishes: Wishes) => void;
  onCreate: () => void;
  onCancel: () => void;
}

/** How a file is understood, with everything that can be settled about it, before anything is made of it. */
export function FilePreview({
  fileName,
  preview,
  isStale,
  isOfAnother,
  wishes,
  onWish,
  onCreate,
  onCancel,
}: FilePreviewProps) {
  const { understood, problems } = preview;
  const id = useId();
  if (understood === null) return null;
  const open = problems.filter(({ code, params }) => !isSolvedByTyping(code, params, wishes));
  return (
    <section aria-labelledby={`${id}-title`} aria-busy={isStale} className="flex flex-col gap-5 border-t pt-4">
      <div>
        <h2 id={`${id}-title`} className="text-base font-semibold wrap-anywhere">
          How {fileName} is read
        </h2>
        <p role="status" className="text-sm text-muted">
          {isStale ? 'Reading the file…' : summaryOf(preview, understood)}
        </p>
      </div>
      {open.length > 0 && (
        <Alert
          tone="warn"
          title={open.length === 1 ? 'One thing to settle first' : `${open.length} things to settle first`}
        >
          <ul className="list-disc pl-4">
            {open.map((problem) => (
              <li key={problem.message}>{wordsOf(problem)}</li>
            ))}
          </ul>
        </Alert>
      )}
      <Places understood={understood} wishes={wishes} onWish={onWish} />
      {understood.columns.length > 0 && <FileColumns understood={understood} wishes={wishes} onWish={onWish} />}
      <NarrationField fileName={fileName} preview={preview} wishes={wishes} onWish={onWish} />
      {preview.rows.length > 0 && <FirstRows rows={preview.rows} />}
      <RowProblems preview={preview} />
      <LeftOutRows understood={understood} wishes={wishes} onWish={onWish} />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          look="primary"
          icon={Check}
          disabled={isOfAnother || open.length > 0 || understood.headerRow === null}
          onClick={onCreate}
        >
          {understood.rowsRead === 0 ? 'Create the batch' : `Create a batch of ${rowsText(understood.rowsRead)}`}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Discard this file
        </Button>
        <p className="text-xs text-muted">
          Nothing is paid by this. Rows that cannot be paid are corrected on the next page.
        </p>
      </div>
    </section>
  );
}

type NarrationFieldProps = Pick<FilePreviewProps, 'fileName' | 'preview' | 'wishes' | 'onWish'>;

/** What stands in for narrations that the file lacks. A file of salaries that names its month says what that could be. */
function NarrationField({ fileName, preview: { understood, problems }, wishes, onWish }: NarrationFieldProps) {
  const take = (narration: string) => onWish({ ...wishes, narration });
  const isMissing = problems.some(({ code, params }) => code === 'COLUMN_MISSING' && params['column'] === 'Narration');
  const titles = understood?.leftOut.filter(({ reason }) => reason === 'TITLE').map(({ text }) => text) ?? [];
  const headers = understood?.columns.map(({ header }) => header) ?? [];
  const proposed = isMissing ? salaryNarration([understood?.sheet ?? '', ...titles, fileName, ...headers]) : undefined;
  return (
    <div className="flex max-w-2xl flex-wrap items-end gap-3">
      <Labelled
        label="One narration for all"
        optional
        error={undefined}
        hint="For every row without a narration of its own, such as “November salary”."
        className="max-w-lg grow"
      >
        {(control) => (
          <Input {...control} maxLength={100} value={wishes.narration} onChange={(event) => take(event.target.value)} />
        )}
      </Labelled>
      {proposed !== undefined && wishes.narration === '' && (
        <Button onClick={() => take(proposed)}>Use “{proposed}”</Button>
      )}
    </div>
  );
}

/** What is being typed settles it before the service has said so. */
function isSolvedByTyping(code: string, params: Readonly<Record<string, unknown>>, { narration }: Wishes): boolean {
  return code === 'COLUMN_MISSING' && params['column'] === 'Narration' && narration.trim() !== '';
}

/** A column that is missing may be there under another name: what to do is on this page. */
function wordsOf({ code, params, message }: Preview['problems'][number]): string {
  if (code !== 'COLUMN_MISSING') return message;
  const column = String(params['column']).toLowerCase();
  return column === 'narration'
    ? 'There is no narration: write one for all rows below, or choose its column.'
    : `No column is known as the ${column}: choose it below.`;
}

const rowsText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`;

function summaryOf({ validRows }: Preview, understood: Understood): string {
  const { sheets, sheet, headerRow, rowsRead, total, mapping, leftOutRows, formulas } = understood;
  if (sheets.length > 1 && sheet === null) return 'The workbook has several sheets.';
  const hasAmounts = Object.values(mapping).includes('amount') && total !== null;
  if (headerRow === null) return 'The row that names the columns was not found.';
  const parts = [
    headerRow === 0 ? 'Without a header' : `Header in row ${headerRow}`,
    `${rowsText(rowsRead)}${hasAmounts ? `, ${formatMoney(total)}` : ''}`,
    ...(validRows === rowsRead ? [] : [`${formatCount(rowsRead - validRows)} of them to correct`]),
    ...(leftOutRows === 0 ? [] : [`${formatCount(leftOutRows)} left out`]),
    ...(formulas === 0
      ? []
      : [
          `${formatCount(formulas)} ${formulas === 1 ? 'formula' : 'formulas'} read by ${formulas === 1 ? 'its stored result' : 'their stored results'}`,
        ]),
  ];
  return `${parts.join(' · ')}.`;
}

interface PlacesProps {
  understood: Understood;
  wishes: Wishes;
  onWish: (wishes: Wishes) => void;
}

/** Which sheet, and where its header is. */
function Places({ understood, wishes, onWish }: PlacesProps) {
  const { sheets, sheet, headerRow } = understood;
  const afresh = { mapping: [], includeRows: [] };
  return (
    <div className="grid max-w-lg gap-4 sm:grid-cols-2 empty:hidden">
      {sheets.length > 1 && (
        <Labelled label="Sheet" error={undefined}>
          {(control) => (
            <Select
              {...control}
              {...(sheet === null ? { placeholder: 'Choose a sheet' } : {})}
              options={sheets.map(({ name }) => ({ value: name, label: name }))}
              value={sheet ?? ''}
              onChange={(event) => onWish({ ...wishes, ...afresh, sheet: event.target.value, headerRow: undefined })}
            />
          )}
        </Labelled>
      )}
      {(headerRow === null || wishes.headerRow !== undefined) && (sheets.length === 0 || sheet !== null) && (
        <Labelled label="Row with the column names" error={undefined} hint="0 where the list has none.">
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={wishes.headerRow ?? ''}
              onChange={(event) => onWish({ ...wishes, ...afresh, headerRow: rowNumber(event.target.value) })}
            />
          )}
        </Labelled>
      )}
    </div>
  );
}

const rowNumber = (typed: string): number | undefined => (/^\d{1,5}$/.test(typed.trim()) ? Number(typed) : undefined);

type Row = Preview['rows'][number];

const COLUMNS: readonly Column<Row>[] = [
  { key: 'name', header: 'Name', cell: ({ accountName }) => accountName || '–' },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount, givenAmount }) => (
      <span className="figures">{amount === null ? givenAmount || '–' : formatMoney(amount)}</span>
    ),
  },
  {
    key: 'account',
    header: 'Account',
    cell: ({ accountNumber, bankName, bankCode, narration }) => (
      <>
        <span className="figures">{accountNumber || '–'}</span>
        <span className="block text-xs md:hidden">{bankName || bankCode || '–'}</span>
        <span className="block text-xs text-muted md:hidden">{narration}</span>
      </>
    ),
  },
  { key: 'bank', header: 'Bank', wideOnly: true, cell: ({ bankName, bankCode }) => bankName || bankCode || '–' },
  { key: 'narration', header: 'Narration', wideOnly: true, cell: ({ narration }) => narration || '–' },
];

function FirstRows({ rows }: { rows: readonly Row[] }) {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">The first {rows.length === 1 ? 'row' : `${rows.length} rows`}, as read</h3>
      <Table
        caption="The first rows, as read"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ row }) => String(row)}
        empty={null}
        rowClass={({ isValid }) => (isValid ? undefined : 'bg-bad-soft')}
      />
    </div>
  );
}

/** All that is wrong with its rows, by what it is; what was only noticed is folded away. */
function RowProblems({ preview }: { preview: Preview }) {
  const errors = preview.rowProblems.filter(({ severity }) => severity === 'ERROR');
  const warnings = preview.rowProblems.filter(({ severity }) => severity === 'WARNING');
  return (
    <>
      {errors.length > 0 && (
        <div className="text-sm">
          <h3 className="font-medium">To correct on the next page</h3>
          <ProblemLines problems={errors} />
        </div>
      )}
      {(warnings.length > 0 || preview.notices.length > 0) && (
        <details className="text-sm">
          <summary className="w-fit font-medium text-accent">What was noticed or put right</summary>
          <ul className="list-disc pl-5">
            {preview.notices.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
          <ProblemLines problems={warnings} />
        </details>
      )}
    </>
  );
}

function ProblemLines({ problems }: { problems: Preview['rowProblems'] }) {
  return (
    <ul className="list-disc pl-5">
      {problems.map(({ severity, code, field, message, count, rows }) => (
        <li key={`${severity} ${code} ${field ?? ''}`} className="wrap-anywhere">
          {count === 1
            ? saidOfRow(rows[0] ?? 0, message)
            : `${formatCount(count)} rows, such as row ${rows[0]}: ${message}`}
        </li>
      ))}
    </ul>
  );
}
