import { createFileRoute } from '@tanstack/react-router';
import { OnboardingPage } from '../../../onboarding/onboarding-page.tsx';

export const Route = createFileRoute('/_merchant/onboarding/')({
  validateSearch: (raw: Record<string, unknown>): { step?: string } =>
    typeof raw['step'] === 'string' ? { step: raw['step'] } : {},
  component: () => <OnboardingPage step={Route.useSearch().step} />,
});
