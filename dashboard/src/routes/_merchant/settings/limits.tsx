import { createFileRoute } from '@tanstack/react-router';
import { LimitsPage } from '../../../settings/limits-page.tsx';

export const Route = createFileRoute('/_merchant/settings/limits')({ component: LimitsPage });
