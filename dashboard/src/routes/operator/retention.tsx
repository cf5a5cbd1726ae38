import { createFileRoute } from '@tanstack/react-router';
import { RetentionPage } from '../../compliance/retention-page.tsx';

export const Route = createFileRoute('/operator/retention')({ component: RetentionPage });
