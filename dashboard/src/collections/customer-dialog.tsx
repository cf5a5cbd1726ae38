import { useAction } from '../api/action.ts';
import type { RecordOf } from '../api/types.ts';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Input } from '../components/inputs.tsx';
import { toast } from '../components/toast.tsx';

export type Customer = RecordOf<'/customer'>;

interface CustomerDialogProps {
  /** Undefined: a new one. */
  customer: Customer | undefined;
  onClose: () => void;
}

/** Adds a customer, or changes one. */
export function CustomerDialog({ customer, onClose }: CustomerDialogProps) {
  const server = useServerForm({
    defaultValues: {
      name: customer?.name ?? '',
      email: customer?.email ?? '',
      phoneNumber: customer?.phoneNumber ?? '',
    },
  });
  const changes = { changes: ['/customer'] };
  const add = useAction('post', '/customer', changes);
  const change = useAction('patch', '/customer/{customerId}', changes);
  const { form } = server;

  async function send(typed: { name: string; email: string; phoneNumber: string }): Promise<void> {
    const [name, email, phone] = [typed.name.trim(), typed.email.trim(), typed.phoneNumber.replace(/[\s-]/g, '')];
    if (customer === undefined) {
      await add.run({ body: { name, email, ...(phone !== '' && { phoneNumber: phone }) } });
    } else {
      const { customerId } = customer;
      await change.run({ path: { customerId }, body: { name, email, phoneNumber: phone === '' ? null : phone } });
    }
    toast({ tone: 'good', text: customer === undefined ? `${name} is added.` : `${name} is changed.` });
    onClose();
  }

  return (
    <FormDialog
      onClose={onClose}
      title={customer === undefined ? 'Add a customer' : `Change ${customer.name}`}
      description={
        customer === undefined
          ? 'Nothing is merged: the same name or e-mail twice makes two customers.'
          : 'Payment sessions keep the name and e-mail that they were opened with.'
      }
      server={server}
      onSend={send}
      send={customer === undefined ? 'Add' : 'Save'}
    >
      <Field form={form} name="name" label="Name" rules={{ required: 'Enter the name.' }}>
        {(control) => <Input {...control} maxLength={100} autoComplete="off" />}
      </Field>
      <Field form={form} name="email" label="E-mail" rules={{ required: 'Enter the e-mail address.' }}>
        {(control) => <Input {...control} type="email" maxLength={254} autoComplete="off" />}
      </Field>
      <Field form={form} name="phoneNumber" label="Phone" hint="With country prefix, such as 2348012345678." optional>
        {(control) => <Input {...control} type="tel" maxLength={20} autoComplete="off" className="figures" />}
      </Field>
    </FormDialog>
  );
}
