import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { Input } from '../components/inputs.tsx';
import { Section } from '../components/page-header.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';

/** The address of the mode. It is a field of the profile, one for each mode. */
export function AddressSection() {
  const mode = useMode();
  const merchant = useRead('/merchant/info', {});
  const field = mode === 'LIVE' ? 'productionWebhookURL' : 'sandboxWebhookURL';
  return (
    <Section title="Address">
      {merchant.error !== null && merchant.data === undefined ? (
        <ErrorState error={merchant.error} onRetry={merchant.refetch} />
      ) : merchant.data === undefined ? (
        <Skeleton className="h-32 w-full rounded-control" />
      ) : (
        <AddressForm field={field} address={merchant.data[field]} />
      )}
    </Section>
  );
}

interface AddressFormProps {
  field: 'sandboxWebhookURL' | 'productionWebhookURL';
  address: string;
}

function AddressForm({ field, address }: AddressFormProps) {
  const mode = useMode();
  const mayChange = useMay()('merchant:write', mode);
  const change = useAction('patch', '/merchant/info', { changes: ['/merchant/info', '/webhook/endpoint'] });
  const server = useServerForm({ defaultValues: { url: address }, fields: { [field]: 'url' } });

  async function send({ url }: { url: string }): Promise<void> {
    await change.run({ body: { [field]: url.trim() } });
    toast({ tone: 'good', text: url.trim() === '' ? 'Events are not sent any more.' : 'Saved. New events go there.' });
  }

  return (
    <Form server={server} onSend={send} {...(mayChange ? { send: 'Save address' } : {})}>
      <Field
        form={server.form}
        name="url"
        label={mode === 'LIVE' ? 'Address for live events' : 'Address for sandbox events'}
        optional
        hint={
          mode === 'LIVE'
            ? 'A public https:// address of your server. Leave it empty to send nowhere.'
            : 'A public address of your server. Leave it empty to send nowhere.'
        }
        rules={{ validate: (url: string) => complainAboutUrl(url.trim()) ?? true }}
      >
        {(control) => (
          <Input
            {...control}
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            readOnly={!mayChange}
            placeholder="https://shop.example.com/hooks/manilla"
            className="font-mono text-xs"
          />
        )}
      </Field>
    </Form>
  );
}

function complainAboutUrl(url: string): string | undefined {
  if (url === '') return undefined;
  if (!/^https?:\/\//i.test(url)) return 'Begin with https://.';
  return URL.canParse(url) ? undefined : 'This is no complete address, such as https://shop.example.com/hooks.';
}
