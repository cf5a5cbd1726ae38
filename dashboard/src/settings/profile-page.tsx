import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { ButtonLink } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { Input } from '../components/inputs.tsx';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { Badge, Status } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import { useLatestValues } from '../components/use-latest-values.ts';
import { Moment } from '../components/values.tsx';
import { internationalNumber } from '../format/text.ts';

type Merchant = Data<'get', '/merchant/info'>;

/** What others see of the business, and how to reach it. */
export function ProfilePage() {
  const { data, error, refetch } = useRead('/merchant/info', {});
  return (
    <>
      <PageHeader title="Profile" beside={data !== undefined && <Status status={data.status} />}>
        How the business is reached. What the reviewers accepted, such as the name, is changed in the business profile.
      </PageHeader>
      {data === undefined ? (
        error === null ? (
          <PageSkeleton />
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        )
      ) : (
        <Profile merchant={data} />
      )}
    </>
  );
}

function Profile({ merchant }: { merchant: Merchant }) {
  const maySeeReview = useMay()('member:read', useMode());
  return (
    <>
      <Section
        title="The business"
        actions={
          maySeeReview && (
            <ButtonLink to="/onboarding" size="small">
              Business profile
            </ButtonLink>
          )
        }
      >
        <DescriptionList
          items={[
            { label: 'Name', value: merchant.businessName },
            { label: 'Line of business', value: orDash(merchant.businessCategory) },
            { label: 'Registration number', value: orDash(merchant.registrationNumber) },
            { label: 'With us since', value: <Moment at={merchant.createdAt} show="day" /> },
            { label: 'Merchant id', value: <Copyable text={merchant.id} what="merchant id" /> },
            { label: 'Services', value: <Services merchant={merchant} /> },
          ]}
        />
      </Section>
      <Section title="How to reach the business">
        <ContactForm merchant={merchant} />
      </Section>
    </>
  );
}

const orDash = (text: string) => (text === '' ? undefined : text);

function Services({ merchant }: { merchant: Merchant }) {
  return (
    <span className="flex flex-wrap gap-1">
      {merchant.merchantEnabledServices.map(({ key, name, description }) => (
        <Badge key={key} tone="quiet" plain title={description}>
          {name}
        </Badge>
      ))}
    </span>
  );
}

const CONTACTS = [
  {
    name: 'email',
    label: 'E-mail',
    hint: 'For letters to the business, not for signing in.',
    type: 'email',
    autoComplete: 'email',
  },
  {
    name: 'phoneNumber',
    label: 'Phone number',
    type: 'tel',
    autoComplete: 'tel',
    hint: '0803 123 4567 or +234 803 123 4567.',
  },
  { name: 'address', label: 'Street address', autoComplete: 'street-address', whole: true },
  { name: 'city', label: 'City', autoComplete: 'address-level2' },
  { name: 'state', label: 'State', autoComplete: 'address-level1' },
  { name: 'country', label: 'Country', autoComplete: 'country-name' },
  { name: 'postalCode', label: 'Postal code', autoComplete: 'postal-code', optional: true },
] as const;

type Contacts = Record<(typeof CONTACTS)[number]['name'], string>;

function ContactForm({ merchant }: { merchant: Merchant }) {
  const mode = useMode();
  const mayChange = useMay()('merchant:write', mode);
  const change = useAction('patch', '/merchant/info', { changes: ['/merchant/info', '/onboarding'] });
  const server = useServerForm<Contacts>({ defaultValues: contactsOf(merchant) });
  useLatestValues(server.form, contactsOf(merchant));

  async function send(values: Contacts): Promise<void> {
    const before = server.form.formState.defaultValues;
    const given = { ...values, phoneNumber: internationalNumber(values.phoneNumber) };
    const changed = CONTACTS.filter(({ name }) => given[name].trim() !== before?.[name]);
    if (changed.length > 0) {
      const body = Object.fromEntries(changed.map(({ name }) => [name, given[name].trim()]));
      server.form.reset(contactsOf(await change.run({ body })));
    }
    toast({ tone: 'good', text: 'Saved.' });
  }

  return (
    <Form server={server} onSend={send} {...(mayChange ? { send: 'Save' } : {})}>
      <fieldset disabled={!mayChange} className="grid gap-4 sm:grid-cols-2">
        {CONTACTS.map((contact) => (
          <Field
            key={contact.name}
            form={server.form}
            name={contact.name}
            label={contact.label}
            optional={'optional' in contact}
            className={cn('whole' in contact && 'sm:col-span-2')}
            {...('hint' in contact ? { hint: contact.hint } : {})}
          >
            {(control) => (
              <Input
                {...control}
                type={'type' in contact ? contact.type : 'text'}
                autoComplete={contact.autoComplete}
                spellCheck={false}
              />
            )}
          </Field>
        ))}
      </fieldset>
    </Form>
  );
}

function contactsOf({ email, phoneNumber, address, city, state, country, postalCode }: Merchant): Contacts {
  return { email, phoneNumber, address, city, state, country, postalCode: postalCode ?? '' };
}
