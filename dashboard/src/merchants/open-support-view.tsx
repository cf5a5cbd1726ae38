import { useAction } from '../api/action.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Textarea } from '../components/inputs.tsx';
import { Select } from '../components/select.tsx';
import { enterSupportView } from '../components/support-view-pages.ts';
import { MODES } from '../format/modes.ts';
import type { Merchant } from './merchant.tsx';

interface Values {
  mode: 'LIVE' | 'SANDBOX';
  reason: string;
}

/** The way to a merchant's own pages, read-only: it asks why, and the merchant reads the answer. */
export function OpenSupportView({ merchant, onClose }: { merchant: Merchant; onClose: () => void }) {
  const { merchantId, businessName, status } = merchant;
  const open = useAction('post', '/operator/merchant/{merchantId}/support-view', { changes: [] });
  const server = useServerForm<Values>({
    defaultValues: { mode: status === 'PENDING' ? 'SANDBOX' : 'LIVE', reason: '' },
  });

  async function send({ mode, reason }: Values): Promise<void> {
    const { token } = await open.run({ path: { merchantId }, body: { mode, reason } });
    enterSupportView(token, mode);
  }

  return (
    <FormDialog
      onClose={onClose}
      title={`Look at the pages of ${businessName}?`}
      description="You see what its own people see, for an hour, and can change nothing. Its owners are notified at once, and each page that you open is in its audit log with your name."
      server={server}
      onSend={send}
      send="Open the support view"
    >
      <Field form={server.form} name="mode" label="Mode">
        {(control) => <Select {...control} options={MODES} />}
      </Field>
      <Field
        form={server.form}
        name="reason"
        label="Reason"
        hint="The merchant reads this."
        rules={{ required: 'Give a reason.' }}
      >
        {(control) => <Textarea {...control} rows={3} maxLength={500} />}
      </Field>
    </FormDialog>
  );
}
