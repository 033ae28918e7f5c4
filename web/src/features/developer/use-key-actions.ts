import { type ApiKey, developer, keyOverlapHours } from '@isotherm/contract/developer.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/call.ts'
import { refetchCalls } from '../../lib/query.ts'
import { formatMoment } from '../../lib/times.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { confirm } from '../../ui/confirm.ts'
import type { Secret } from './parts/secret-dialog.tsx'

/** Rotating and revoking a key: each asks first, and says what it breaks. */
export function useKeyActions(onSecret: (secret: Secret) => void) {
  const { t } = useTranslation('developer')
  const used = (key: ApiKey) =>
    key.lastUsedAt
      ? t('ask.used', { time: formatMoment(key.lastUsedAt), address: key.lastUsedAddress })
      : t('ask.neverUsed')
  const rotate = (key: ApiKey) =>
    confirm({
      title: t('ask.rotate', { name: key.name }),
      text: t('ask.rotateText', { count: keyOverlapHours }),
      action: t('keys.rotate'),
      run: async () => {
        const { secret, ...rotated } = await call(developer.rotate, { params: { id: key.id } })
        void refetchCalls(developer.settings)
        onSecret({ key: rotated, secret })
      },
    })
  const revoke = (key: ApiKey) =>
    confirm({
      title: t('ask.revoke', { name: key.name }),
      text: `${t('ask.revokeText')} ${used(key)}`,
      action: t('keys.revoke'),
      destructive: true,
      run: async () => {
        await call(developer.revoke, { params: { id: key.id } })
        toastSuccess(t('keys.revoked', { name: key.name }))
        await refetchCalls(developer.settings)
      },
    })
  return { rotate, revoke }
}
