import { type DeviceSession, sessions } from '@isotherm/contract/sessions.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/call.ts'
import { refetchCalls } from '../../lib/query.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { confirm } from '../../ui/confirm.ts'

export const refetchSessions = () => refetchCalls(sessions.list, sessions.count, sessions.one, sessions.history)

/** Asks, then ends an open session. */
export function useEndSession() {
  const { t } = useTranslation('sessions')
  return ({ id, deviceName }: DeviceSession) =>
    confirm({
      title: t('end.title', { name: deviceName }),
      text: t('end.text'),
      action: t('end.action'),
      run: async () => {
        await call(sessions.end, { params: { id } })
        toastSuccess(t('end.done'))
        await refetchSessions()
      },
    })
}
