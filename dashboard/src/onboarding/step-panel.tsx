import { Section } from '../components/page-header.tsx';
import { Badge } from '../components/status.tsx';
import { DocumentsStep } from './documents-step.tsx';
import { FieldsStep } from './fields-step.tsx';
import { SettlementStep } from './settlement-step.tsx';
import { type Onboarding, STEP_PURPOSES, type Step } from './step-fields.ts';

export interface StepPanelProps {
  onboarding: Onboarding;
  step: Step;
  /** It can be changed now, by this person. */
  open: boolean;
  next: Step | undefined;
}

/** One step with its form. */
export function StepPanel({ onboarding, step, open, next }: StepPanelProps) {
  return (
    <Section
      title={step.title}
      about={STEP_PURPOSES[step.key]}
      actions={step.done ? <Badge tone="good">Complete</Badge> : null}
    >
      <StepForm onboarding={onboarding} step={step} open={open} next={next} />
    </Section>
  );
}

function StepForm({ onboarding, step, open, next }: StepPanelProps) {
  switch (step.key) {
    case 'BUSINESS_DOCUMENTS':
      return <DocumentsStep onboarding={onboarding} step={step} open={open} />;
    case 'SETTLEMENT_ACCOUNT':
      return <SettlementStep step={step} open={open} next={next} />;
    default:
      return <FieldsStep stepKey={step.key} step={step} open={open} next={next} />;
  }
}
