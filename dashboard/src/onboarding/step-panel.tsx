import { useEffect, useRef } from 'react';
import { Section } from '../components/page-header.tsx';
import { Badge } from '../components/status.tsx';
import { DocumentsStep } from './documents-step.tsx';
import { FieldsStep } from './fields-step.tsx';
import { SettlementStep } from './settlement-step.tsx';
import { isRegistered, type Onboarding, STEP_PURPOSES, type Step } from './step-fields.ts';

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
      return <DocumentsStep onboarding={onboarding} step={step} open={open} />;
    case 'SETTLEMENT_ACCOUNT':
      return <SettlementStep step={step} open={open} next={next} />;
    default:
      return (
        <FieldsStep stepKey={step.key} step={step} open={open} next={next} registered={isRegistered(onboarding)} />
      );
  }
}
