import { useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { ApiError, messageOf } from '../api/errors.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Labelled } from '../components/field.tsx';
import { FileDrop } from '../components/file-drop.tsx';
import { Input } from '../components/inputs.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { Select } from '../components/select.tsx';
import { Progress } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';
import { complainAboutMoney, parseMoney } from '../format/money.ts';
import { formatBytes } from '../format/text.ts';
import { PURPOSE_OPTIONS } from '../payouts/payout-draft.ts';
import { FilePreview } from './file-preview.tsx';
import { UnansweredUploads } from './unanswered-uploads.tsx';
import { fieldsOf, NO_WISHES, type UploadForm, type UploadSettings } from './upload-form.ts';
import { type KeptUpload, NO_UPLOAD, useKeptUpload } from './use-kept-upload.ts';
import { isOfAnother, usePreview } from './use-preview.ts';
import { useUpload } from './use-upload.ts';

const MAX_BYTES = 50 * 1024 * 1024;

/** Where a list of payouts begins: choose the file, see how it is read, settle what is not clear, and make the batch. */
export function UploadCard() {
  const [kept, change] = useKeptUpload();
  const { settings, wishes, chosen, refused } = kept;
  const complaints = complaintsOf(settings);
  const fields = fieldsOf(settingFields(settings, complaints), wishes);
  const { take, sent } = useTakenFile(fields, complaints, change);
  const preview = usePreview(chosen, fields);

  function choose(file: File | undefined): void {
    change({
      chosen: file === undefined ? undefined : { file, id: crypto.randomUUID() },
      wishes: { ...NO_WISHES, narration: wishes.narration },
      refused: undefined,
    });
  }
  const unreadable = preview.error !== null && isAboutTheFile(preview.error) ? preview.error.message : undefined;

  return (
    <section className="card mb-8 flex flex-col gap-4 p-4 sm:p-5" aria-label="Upload a list">
      {sent === undefined && refused?.file === undefined && <UnansweredUploads />}
      {sent !== undefined ? (
        <div className="grid min-h-38 place-items-center" role="status">
          <div className="w-full max-w-lg">
            <Uploading {...sent} />
          </div>
        </div>
      ) : (
        <FileDrop
          label={
            chosen === undefined ? 'Drop a list here, or choose a file' : 'Drop another list here, or choose a file'
          }
          hint="CSV or Excel (.xlsx), up to 100,000 rows and 50 MB. Nothing is paid by uploading."
          accept=".csv,.xlsx"
          maxBytes={MAX_BYTES}
          onFile={choose}
          error={unreadable ?? (refused !== undefined && refused.file === undefined ? refused.message : undefined)}
        />
      )}
      {refused?.file !== undefined && <Resend file={refused.file} message={refused.message} onSend={take} />}
      {preview.error !== null && unreadable === undefined && (
        <Retry message={preview.error.message} onRetry={() => void preview.refetch()} />
      )}
      {preview.isLoading && (
        <p role="status" className="text-sm text-muted">
          Reading the file…
        </p>
      )}
      {chosen !== undefined && preview.data !== undefined && sent === undefined && (
        <FilePreview
          fileName={chosen.file.name}
          preview={preview.data.preview}
          isStale={preview.isFetching}
          isOfAnother={isOfAnother(preview.data, fields)}
          wishes={wishes}
          onWish={(next) => change({ wishes: next })}
          onCreate={() => void take(chosen.file)}
          onCancel={() => choose(undefined)}
        />
      )}
      <Templates />
      <details className="text-sm">
        <summary className="w-fit font-medium text-accent">Purpose and expected totals</summary>
        <Settings settings={settings} complaints={complaints} onChange={(next) => change({ settings: next })} />
      </details>
    </section>
  );
}

function Templates() {
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
      <p>
        One row for each payment: name, bank, account number and amount. Titles, totals and signatures may stay. A
        template has the columns of your last file:
      </p>
      <DownloadButton size="small" address="/payout/bulk/template.xlsx" fileName="bulk-payout-template.xlsx">
        Excel template
      </DownloadButton>
      <DownloadButton size="small" address="/payout/bulk/template.csv" fileName="bulk-payout-template.csv">
        CSV template
      </DownloadButton>
    </div>
  );
}

/** Sends what was chosen, and goes to the list that it became; from another page by then, it says so there. */
function useTakenFile(
  fields: UploadForm,
  complaints: SettingsProps['complaints'],
  change: (change: Partial<KeptUpload>) => void,
) {
  const navigate = useNavigate();
  const upload = useUpload();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);

  async function take(file: File): Promise<void> {
    if (complaints.controlCount !== undefined || complaints.controlTotal !== undefined) {
      return change({ refused: { message: 'Correct the expected totals first, or empty them.', file } });
    }
    change({ refused: undefined });
    try {
      const batchReference = await upload.send(file, fields);
      change(NO_UPLOAD);
      const open = () => navigate({ to: '/bulk/$batchReference', params: { batchReference } });
      if (isHere.current) await open();
      else
        toast({
          tone: 'good',
          text: `${file.name} was taken in.`,
          action: { label: 'Open', onClick: () => void open() },
        });
    } catch (error) {
      const message = messageOf(error);
      change({ refused: { message, file: isAboutTheFile(error) ? undefined : file } });
      if (!isHere.current) toast({ tone: 'bad', text: message });
    }
  }
  return { take, sent: upload.sent };
}

/** What is typed wrongly is not sent while somebody types. */
function settingFields(
  { purpose, controlCount, controlTotal }: UploadSettings,
  complaints: SettingsProps['complaints'],
) {
  const total = parseMoney(controlTotal);
  return {
    purpose,
    controlCount: complaints.controlCount === undefined ? controlCount : '',
    controlTotal: complaints.controlTotal === undefined && total !== undefined ? String(total) : '',
  };
}

function Retry({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <Alert
      tone="bad"
      action={
        <Button size="small" icon={RotateCw} onClick={onRetry}>
          Read it again
        </Button>
      }
    >
      {message}
    </Alert>
  );
}

/** The same bytes would be refused again: it has to be corrected, saved and chosen again. */
function isAboutTheFile(error: unknown): boolean {
  return error instanceof ApiError && error.code.startsWith('FILE');
}

function Resend({ file, message, onSend }: { file: File; message: string; onSend: (file: File) => Promise<void> }) {
  return (
    <Alert
      tone="bad"
      action={
        <Button size="small" icon={RotateCw} onClick={() => void onSend(file)}>
          Send again
        </Button>
      }
    >
      {message}
    </Alert>
  );
}

function Uploading({ fileName, bytes, total }: { fileName: string; bytes: number; total: number }) {
  if (bytes >= total) {
    const label = `Reading the rows of ${fileName}`;
    return <Progress label={label} done={1} total={1} text="this takes a few seconds" />;
  }
  const text = `${formatBytes(bytes)} of ${formatBytes(total)}`;
  return <Progress label={`Uploading ${fileName}`} done={bytes} total={total} text={text} />;
}

interface SettingsProps {
  settings: UploadSettings;
  complaints: { controlCount?: string; controlTotal?: string };
  onChange: (settings: UploadSettings) => void;
}

function Settings({ settings, complaints, onChange }: SettingsProps) {
  return (
    <div className="mt-3 grid gap-4 sm:grid-cols-3">
      <Labelled label="Purpose" optional error={undefined} hint="Salaries carry no stamp duty.">
        {(control) => (
          <Select
            {...control}
            placeholder="General"
            options={PURPOSE_OPTIONS}
            value={settings.purpose}
            onChange={(event) => onChange({ ...settings, purpose: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled
        label="Expected rows"
        optional
        error={complaints.controlCount}
        hint="Another number, and nothing is kept."
      >
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={settings.controlCount}
            onChange={(event) => onChange({ ...settings, controlCount: event.target.value })}
          />
        )}
      </Labelled>
      <Labelled label="Expected total" optional error={complaints.controlTotal} hint="Of all amounts, without charges.">
        {(control) => (
          <MoneyInput
            {...control}
            value={settings.controlTotal}
            onChange={(event) => onChange({ ...settings, controlTotal: event.target.value })}
          />
        )}
      </Labelled>
    </div>
  );
}

function complaintsOf({ controlCount, controlTotal }: UploadSettings): SettingsProps['complaints'] {
  const money = controlTotal.trim() === '' ? undefined : complainAboutMoney(controlTotal);
  return {
    ...(/^\s*\d{0,7}\s*$/.test(controlCount) ? {} : { controlCount: 'Enter a number of rows, in digits.' }),
    ...(money === undefined ? {} : { controlTotal: money }),
  };
}
