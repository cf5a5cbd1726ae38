import { useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ApiError, messageOf } from '../api/errors.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Labelled } from '../components/field.tsx';
import { FileDrop } from '../components/file-drop.tsx';
import { Input, MoneyInput, Select } from '../components/inputs.tsx';
import { Progress } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';
import { complainAboutMoney, parseMoney } from '../format/money.ts';
import { formatBytes } from '../format/text.ts';
import { PURPOSE_OPTIONS } from '../payouts/payout-draft.ts';
import { type UploadSettings, useUpload } from './use-upload.ts';

const MAX_BYTES = 50 * 1024 * 1024;
const NO_SETTINGS: UploadSettings = { purpose: '', controlCount: '', controlTotal: '' };

/** Why a file is not a list yet. */
interface Refused {
  message: string;
  /** It stays at hand where sending it once more can help: nobody looks for it a second time. */
  file: File | undefined;
}

/** Where a list of payouts begins: drop the file, and its rows are checked. */
export function UploadCard() {
  const [settings, setSettings] = useState(NO_SETTINGS);
  const complaints = complaintsOf(settings);
  const { take, refused, sent } = useTakenFile(settings, complaints);

  return (
    <section className="card mb-8 flex flex-col gap-4 p-4 sm:p-5" aria-label="Upload a list">
      {sent !== undefined ? (
        <div className="grid min-h-38 place-items-center" role="status">
          <div className="w-full max-w-lg">
            <Uploading {...sent} />
          </div>
        </div>
      ) : (
        <FileDrop
          label="Drop a list here, or choose a file"
          hint="CSV or Excel (.xlsx), up to 100,000 rows and 50 MB. Nothing is paid by uploading."
          accept=".csv,.xlsx"
          maxBytes={MAX_BYTES}
          onFile={(file) => void take(file)}
          error={refused !== undefined && refused.file === undefined ? refused.message : undefined}
        />
      )}
      {refused?.file !== undefined && <SendAgain file={refused.file} message={refused.message} onSend={take} />}
      <p className="text-sm text-muted">
        One row for each payment: amount in whole naira, bank, account number, narration; name and phone number if you
        have them. Begin with a template:{' '}
        <a href="/dashboard/bulk-template.xlsx" download className="font-medium text-accent underline">
          Excel
        </a>{' '}
        or{' '}
        <a href="/dashboard/bulk-template.csv" download className="font-medium text-accent underline">
          CSV
        </a>
        .
      </p>
      <details className="text-sm">
        <summary className="w-fit font-medium text-accent">Purpose and expected totals</summary>
        <Settings settings={settings} complaints={complaints} onChange={setSettings} />
      </details>
    </section>
  );
}

/** Sends what was dropped, and goes to the list that it became; from another page by then, it says so there. */
function useTakenFile(settings: UploadSettings, complaints: SettingsProps['complaints']) {
  const navigate = useNavigate();
  const upload = useUpload();
  const [refused, setRefused] = useState<Refused>();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);

  async function take(file: File): Promise<void> {
    if (complaints.controlCount !== undefined || complaints.controlTotal !== undefined) {
      return setRefused({ message: 'Correct the expected totals first, or empty them.', file });
    }
    setRefused(undefined);
    try {
      const total = parseMoney(settings.controlTotal);
      const controlTotal = total === undefined ? '' : String(total);
      const batchReference = await upload.send(file, { ...settings, controlTotal });
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
      setRefused({ message, file: isAboutTheFile(error) ? undefined : file });
      if (!isHere.current) toast({ tone: 'bad', text: message });
    }
  }
  return { take, refused, sent: upload.sent };
}

/** The same bytes would be refused again: it has to be corrected, saved and chosen anew. */
function isAboutTheFile(error: unknown): boolean {
  return error instanceof ApiError && error.code.startsWith('FILE');
}

function SendAgain({ file, message, onSend }: { file: File; message: string; onSend: (file: File) => Promise<void> }) {
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

function Uploading({ bytes, total }: { bytes: number; total: number }) {
  if (bytes >= total) return <Progress label="Reading the rows" done={1} total={1} text="this takes a few seconds" />;
  return (
    <Progress label="Uploading" done={bytes} total={total} text={`${formatBytes(bytes)} of ${formatBytes(total)}`} />
  );
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
