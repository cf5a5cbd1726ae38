import { createFileRoute } from '@tanstack/react-router';
import { VerifyPage } from '../../operator/verify-page.tsx';

export const Route = createFileRoute('/operator/verify')({ component: VerifyPage });
