import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { isAnswered } from '../api/action.ts';
import { call } from '../api/call.ts';
import { ApiError, messageOf } from '../api/errors.ts';
import { watchUpload } from '../api/files.ts';
import { useMode } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
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
import { useLeavingWarning } from './use-leaving-warning.ts';

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
      {refused?.file !== undefined && <Resend file={refused.file} message={refused.message} onSend={take} />}
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

interface UploadSettings {
  purpose: string;
  /** As typed; empty where nothing is checked. */
  controlCount: string;
  controlTotal: string;
}

export interface Upload {
  /** Sends the file and gives the reference of the batch that it became. @throws ApiError */
  send(file: File, settings: UploadSettings): Promise<string>;
  /** Bytes on their way, and of how many; undefined while nothing is. */
  sent: { bytes: number; total: number } | undefined;
}

/** What one `Idempotency-Key` stands for: this file with these settings, until there is an answer about it. */
interface Attempt {
  key: string;
  fingerprint: string;
}

/**
 * A file on its way to becoming a batch, with how much of it has gone. After a cut line the same file goes again under
 * the key that it had, so it becomes one batch however often it is sent; another file is another request.
 */
function useUpload(): Upload {
  const mode = useMode();
  const queries = useQueryClient();
  const [sent, setSent] = useState<Upload['sent']>();
  const unanswered = useRef<Attempt>(undefined);
  const underWay = useRef(false);
  useLeavingWarning(sent !== undefined);

  async function deliver(file: File, settings: UploadSettings): Promise<string> {
    await requireReadable(file);
    const fingerprint = fingerprintOf(file, settings);
    const earlier = unanswered.current?.fingerprint === fingerprint ? unanswered.current : undefined;
    const attempt = earlier ?? { key: crypto.randomUUID(), fingerprint };
    unanswered.current = attempt;
    const fetch = watchUpload((bytes, total) => setSent({ bytes, total: total ?? bytes }));
    try {
      const body = formOf(file, settings);
      const { batchReference, warnings } = await call(
        'post',
        '/payout/bulk',
        { body },
        { mode, key: attempt.key, fetch },
      );
      unanswered.current = undefined;
      queries.setQueryData(['upload-warnings', batchReference], warnings);
      return batchReference;
    } catch (error) {
      if (isAbout(error, earlier !== undefined)) unanswered.current = undefined;
      throw isLost(error) ? cutOff(file) : error;
    } finally {
      void queries.invalidateQueries({ queryKey: [mode, '/payout/bulk'] });
    }
  }

  return {
    async send(file, settings) {
      if (underWay.current) throw new ApiError(ONE_AT_A_TIME, { code: 'UPLOAD_UNDER_WAY', status: 409 });
      underWay.current = true;
      setSent({ bytes: 0, total: file.size });
      try {
        return await deliver(file, settings);
      } finally {
        underWay.current = false;
        setSent(undefined);
      }
    },
    sent,
  };
}

const ONE_AT_A_TIME = 'Another file is on its way. Drop this one when it has arrived.';

function formOf(file: File, settings: UploadSettings): FormData {
  const form = new FormData();
  // The service reads the settings before it takes the rows in.
  for (const [name, value] of Object.entries(settings)) if (value.trim() !== '') form.append(name, value.trim());
  form.append('file', file);
  return form;
}

function fingerprintOf({ name, size, lastModified }: File, settings: UploadSettings): string {
  return JSON.stringify([name, size, lastModified, settings]);
}

/** A file that was saved again, moved or unplugged after it was chosen cannot be read; that is no lost connection. */
async function requireReadable(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new ApiError(`${file.name} was changed or moved after you chose it. Choose it again.`, {
      code: 'FILE_CHANGED',
      status: 422,
    });
  }
}

const isLost = (error: unknown): boolean => error instanceof ApiError && error.code === 'CONNECTION_LOST';

/** Refusals of whoever asks: they come before it is looked at what was asked. */
const OF_THE_CALLER = [401, 403, 429];

/** Whether an error is an answer about the upload. While an earlier attempt has none, a refusal of the caller is none. */
function isAbout(error: unknown, wasUnanswered: boolean): boolean {
  if (!(error instanceof ApiError) || !isAnswered(error)) return false;
  return !(wasUnanswered && OF_THE_CALLER.includes(error.status));
}

function cutOff({ name }: File): ApiError {
  return new ApiError(
    `The connection was lost while ${name} was on its way. Nothing is paid by uploading: send it again, and it becomes ` +
      'one list however often it is sent.',
    { code: 'CONNECTION_LOST', status: 0 },
  );
}
