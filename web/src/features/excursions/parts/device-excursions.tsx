import type { Period } from '@isotherm/contract/common.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import { excursions } from '@isotherm/contract/excursions.ts'
import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { useExcursionParams } from '../use-excursion-params.ts'
import { ExcursionList } from './excursion-list.tsx'
import { ExcursionSummary } from './excursion-summary.tsx'
import classes from './excursions.module.css'

/** A device's excursions of a period (`isFixed`: nobody can choose another): what they come to, and each, opening on the chart. */
export function DeviceExcursions({ device, period, isFixed }: { device: Device; period: Period; isFixed?: boolean }) {
  const { t } = useTranslation('excursions')
  const { params, causes, owners } = useExcursionParams()
  const deviceId = device.id
  const hasLimits = Object.values(device.limits).some((limit) => limit !== null)
  const { search: _, group: __, ...asked } = params.asked
  const query = { ...period, ...asked }
  const answer = useCall(excursions.ofDevice, { params: { id: deviceId }, query }, { keepPrevious: true })
  return (
    <Stack gap="sm">
      <div className={classes.summary}>
        <ExcursionSummary deviceId={deviceId} period={period} />
      </div>
      <ExcursionList
        answer={answer}
        params={params}
        causes={causes}
        owners={owners}
        empty={{
          title: t('empty.title'),
          text: t(isFixed ? 'empty.fixed' : hasLimits ? 'empty.text' : 'empty.noLimits'),
        }}
      />
    </Stack>
  )
}
