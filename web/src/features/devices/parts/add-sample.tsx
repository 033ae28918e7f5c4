import { dashboard } from '@isotherm/contract/dashboard.ts'
import { devices } from '@isotherm/contract/devices.ts'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { isCallError } from '../../../lib/call-error.ts'
import { useCan } from '../../../lib/can.ts'
import { refetchCalls } from '../../../lib/query.ts'

/** Adds the sample device of a company that has no tracker at hand, and shows it. */
export function AddSample() {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const mayAdd = useCan(devices.addSample)
  if (!mayAdd) return null
  const add = async () => {
    setBusy(true)
    try {
      const { id } = await call(devices.addSample, {}, { toastAll: true })
      await navigate({ to: '/devices/$deviceId/details', params: { deviceId: id } })
      await refetchCalls(devices.list, devices.summary, devices.fleet, dashboard.figures)
    } catch (error) {
      if (!isCallError(error)) throw error
    }
    setBusy(false)
  }
  return (
    <Button variant="subtle" size="compact-md" mih={44} loading={isBusy} onClick={() => void add()}>
      {t('sample.add')}
    </Button>
  )
}
