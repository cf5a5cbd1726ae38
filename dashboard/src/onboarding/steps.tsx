import { lazy, Suspense, useEffect, useId, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useAction } from '../api/action.ts';
import { cn } from '../components/class-names.ts';
import { Field } from '../components/field.tsx';
import { Form, useServerForm } from '../components/form.tsx';
import { Input } from '../components/inputs.tsx';
import { Section } from '../components/page-header.tsx';
import { Select } from '../components/select.tsx';
import { Skeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { useLatestValues } from '../components/use-latest-values.ts';
import {
  type FieldStepKey,
  isRegistered,
  type Onboarding,
  STEP_FIELDS,
  STEP_PATHS,
  STEP_PURPOSES,
  type Step,
  type StepField,
} from './step-fields.ts';
import { useStepSaved } from './use-step-saved.ts';

const SettlementStep = lazy(() => import('./settlement-step.tsx').then((part) => ({ default: part.SettlementStep })));
const DocumentsStep = lazy(() => import('./documents-step.tsx').then((part) => ({ default: part.DocumentsStep })));

export interface StepPanelProps {
  onboarding: Onboarding;
  step: Step;
  /** It can be changed now, by this person. */
  open: boolean;
  next: Step | undefined;
  /** It is the one in sight. */
  current: boolean;
}

/** One step with its form. It takes the focus, and comes into sight, when somebody goes from one step to the next. */
export function StepPanel({ current, ...props }: StepPanelProps) {
  const { step } = props;
  const panel = useRef<HTMLDivElement>(null);
  const before = useRef(current);
  useEffect(() => {
    const arrived = current && !before.current;
    before.current = current;
    if (!arrived || panel.current === null) return;
    panel.current.focus({ preventScroll: true });
    const { top } = panel.current.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) panel.current.scrollIntoView({ block: 'start' });
  }, [current]);
  return (
    <section ref={panel} tabIndex={-1} aria-label={step.title} className="scroll-mt-24 outline-none">
      <Section
        title={step.title}
        about={STEP_PURPOSES[step.key]}
        actions={step.done ? <Badge tone="good">Complete</Badge> : null}
      >
        <StepForm {...props} />
      </Section>
    </section>
  );
}

function StepForm({ onboarding, step, open, next }: Omit<StepPanelProps, 'current'>) {
  switch (step.key) {
    case 'BUSINESS_DOCUMENTS':
      return (
        <Suspense fallback={<Skeleton className="h-40" />}>
          <DocumentsStep onboarding={onboarding} step={step} open={open} />
        </Suspense>
      );
    case 'SETTLEMENT_ACCOUNT':
      return (
        <Suspense fallback={<Skeleton className="h-40 w-full" />}>
          <SettlementStep step={step} open={open} next={next} />
        </Suspense>
      );
    default:
      return (
        <FieldsStep stepKey={step.key} step={step} open={open} next={next} registered={isRegistered(onboarding)} />
      );
  }
}

type Values = Record<string, string>;

interface FieldsStepProps {
  stepKey: FieldStepKey;
  step: Step;
  open: boolean;
  next: Step | undefined;
  /** With CAC. */
  registered: boolean;
}

/** A step of plain fields. Only what was changed is sent; half a step is kept as well. */
function FieldsStep({ stepKey, step, open, next, registered }: FieldsStepProps) {
  const fields = STEP_FIELDS[stepKey].map((field) => (registered ? field : withoutRegistration(field)));
  const save = useAction('patch', STEP_PATHS[stepKey], { changes: ['/onboarding', '/merchant/info'] });
  const server = useServerForm<Values>({ defaultValues: valuesFor(fields, step) });
  useLatestValues(server.form, valuesFor(fields, step));
  const saved = useStepSaved(next);

  async function send(values: Values): Promise<void> {
    const changed = fields.filter(({ name }) => values[name] !== server.form.formState.defaultValues?.[name]);
    const body = Object.fromEntries(changed.map((field) => [field.name, given(field, values[field.name] ?? '')]));
    if (changed.length === 0) return saved(step);
    const { steps } = await save.run({ body });
    const now = steps.find(({ key }) => key === stepKey) ?? step;
    server.form.reset(valuesFor(fields, now));
    saved(now);
  }

  return (
    <Form server={server} onSend={send} {...(open ? { send: 'Save' } : {})}>
      <fieldset disabled={!open} className="grid gap-4 sm:grid-cols-2">
        {fields.map((field) => (
          <PlainField key={field.name} form={server.form} field={field} saved={step.values[field.name] ?? ''} />
        ))}
      </fieldset>
    </Form>
  );
}

interface PlainFieldProps {
  form: UseFormReturn<Values>;
  field: StepField;
  saved: string;
}

function PlainField({ form, field, saved }: PlainFieldProps) {
  const { name, label, options, half, optional, secret, digits, suggestions, hint, ...input } = field;
  const listId = useId();
  return (
    <Field
      form={form}
      name={name}
      label={label}
      hint={secret === true && saved !== '' ? `Saved: ${saved}. Type to replace it.` : hint}
      optional={optional === true}
      className={cn(half !== true && 'sm:col-span-2')}
    >
      {(control) =>
        options === undefined ? (
          <>
            <Input
              {...control}
              {...input}
              spellCheck={false}
              {...(suggestions === undefined ? {} : { list: listId })}
            />
            {suggestions !== undefined && (
              <datalist id={listId}>
                {suggestions.map((suggestion) => (
                  <option key={suggestion} value={suggestion} />
                ))}
              </datalist>
            )}
          </>
        ) : (
          <Select {...control} options={options} placeholder="Choose" />
        )
      }
    </Field>
  );
}

/** A number is copied with the spaces that stand in it on paper. */
const given = ({ digits }: StepField, typed: string): string =>
  digits === true ? typed.replaceAll(/[\s-]/g, '') : typed.trim();

function withoutRegistration(field: StepField): StepField {
  return field.name === 'registrationNumber' ? { ...field, optional: true } : field;
}

function valuesFor(fields: readonly StepField[], { values }: Step): Values {
  return Object.fromEntries(fields.map(({ name, secret }) => [name, secret === true ? '' : (values[name] ?? '')]));
}
