import { X } from 'lucide-react';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import type { DisputeDetail } from '../collections/dispute-words.ts';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { FileDrop, MAX_DOCUMENT_BYTES } from '../components/file-drop.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input, Textarea } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';
import { formatBytes } from '../format/text.ts';

const EMPTY = {
  message: '',
  customerName: '',
  customerEmail: '',
  customerPhone: '',
  serviceDetails: '',
  deliveryAddress: '',
  deliveryDate: '',
};
type Words = typeof EMPTY;

type Takes = NonNullable<DisputeDetail['takes']>;

interface EvidenceDialogProps {
  disputeId: string;
  takes: Takes;
  onClose: () => void;
}

/** Contests a dispute: why the payment is the merchant's, and what proves it. */
export function EvidenceDialog({ disputeId, takes, onClose }: EvidenceDialogProps) {
  const contest = useAction('post', '/collection/dispute/{disputeId}/evidence', { changes: ['/collection', '/home'] });
  const server = useServerForm<Words>({ defaultValues: EMPTY });
  const [files, setFiles] = useState<readonly File[]>([]);

  async function send(words: Words): Promise<void> {
    await contest.run({ path: { disputeId }, body: formOf(words, files) });
    toast({ tone: 'good', text: 'Your evidence is being sent to the provider.' });
    onClose();
  }

  return (
    <FormDialog
      kind="wide"
      onClose={onClose}
      title="Contest the dispute"
      description="It is sent to the provider at once, and the payer’s bank decides by it. There is one answer: say everything in it."
      server={server}
      onSend={send}
      send="Send the evidence"
    >
      <Field
        form={server.form}
        name="message"
        label="Why the payment is yours"
        hint="What was sold, when and how it was delivered, what the payer said."
        rules={{ required: 'Say why the payment is yours.' }}
      >
        {(control) => <Textarea {...control} rows={4} maxLength={2000} />}
      </Field>
      <WordFields form={server.form} takes={takes} />
      <Files most={takes.files} files={files} onFiles={setFiles} />
    </FormDialog>
  );
}

function WordFields({ form, takes }: { form: UseFormReturn<Words>; takes: Takes }) {
  const wantsCustomer = takes.needs.includes('CUSTOMER');
  const wantsService = takes.needs.includes('SERVICE_DETAILS');
  const required = (isNeeded: boolean, sentence: string) => (isNeeded ? { required: sentence } : {});
  const label = (text: string, isNeeded: boolean) => (isNeeded ? text : `${text} (optional)`);
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          form={form}
          name="customerName"
          label={label('Customer’s name', wantsCustomer)}
          rules={required(wantsCustomer, 'The provider needs the name.')}
        >
          {(control) => <Input {...control} maxLength={100} />}
        </Field>
        <Field
          form={form}
          name="customerEmail"
          label={label('Customer’s e-mail', wantsCustomer)}
          rules={required(wantsCustomer, 'The provider needs the e-mail address.')}
        >
          {(control) => <Input {...control} type="email" maxLength={100} />}
        </Field>
        <Field
          form={form}
          name="customerPhone"
          label={label('Customer’s phone', wantsCustomer)}
          rules={required(wantsCustomer, 'The provider needs the phone number.')}
        >
          {(control) => <Input {...control} type="tel" maxLength={20} className="figures" />}
        </Field>
        <Field form={form} name="deliveryDate" label="Delivered on (optional)">
          {(control) => <Input {...control} type="date" />}
        </Field>
      </div>
      <Field
        form={form}
        name="serviceDetails"
        label={label('What was sold', wantsService)}
        rules={required(wantsService, 'The provider needs what was sold.')}
      >
        {(control) => <Input {...control} maxLength={1000} />}
      </Field>
      <Field form={form} name="deliveryAddress" label="Delivered to (optional)">
        {(control) => <Input {...control} maxLength={300} />}
      </Field>
    </>
  );
}

interface FilesProps {
  most: number;
  files: readonly File[];
  onFiles: (files: readonly File[]) => void;
}

/** What proves it, as many as the provider takes. */
function Files({ most, files, onFiles }: FilesProps) {
  if (most === 0) return <p className="text-sm text-muted">This provider takes no files: say it in words.</p>;
  return (
    <div className="flex flex-col gap-2">
      {files.length > 0 && (
        <ul className="divide-y rounded-control border">
          {files.map((file) => (
            <li
              key={`${file.name}/${file.size}`}
              className="flex items-center justify-between gap-3 py-1.5 pr-1.5 pl-3"
            >
              <span className="min-w-0 text-sm wrap-anywhere">
                {file.name} <span className="text-muted">{formatBytes(file.size)}</span>
              </span>
              <Button
                size="small"
                look="quiet"
                icon={X}
                onClick={() => onFiles(files.filter((other) => other !== file))}
                aria-label={`Leave ${file.name} out`}
              />
            </li>
          ))}
        </ul>
      )}
      {files.length < most && (
        <FileDrop
          label={files.length === 0 ? 'Drop a file, or choose it' : 'Add another file'}
          hint={`A receipt, a delivery note, messages: PDF, PNG or JPEG, up to 5 MB${most === 1 ? '' : `, up to ${most} files`}`}
          accept=".pdf,.png,.jpg,.jpeg"
          maxBytes={MAX_DOCUMENT_BYTES}
          onFile={(file) =>
            onFiles([...files.filter(({ name, size }) => name !== file.name || size !== file.size), file])
          }
        />
      )}
    </div>
  );
}

/** What was left empty is not sent; files come last. */
function formOf(words: Words, files: readonly File[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(words)) if (value.trim() !== '') form.append(name, value.trim());
  for (const file of files) form.append('file', file);
  return form;
}
