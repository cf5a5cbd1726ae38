import { createFileRoute } from '@tanstack/react-router';
import { LimitsPage } from '../../../limits/limits-page.tsx';

export const Route = createFileRoute('/_merchant/settings/limits')({ component: LimitsPage });
