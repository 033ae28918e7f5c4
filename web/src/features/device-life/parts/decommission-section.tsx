import { deviceLife } from '@isotherm/contract/device-life.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Silenced } from '../../../shared/silenced.tsx'
import { confirm } from '../../../ui/confirm.ts'
import { type LifeDevice, refetchLife } from '../use-life.ts'
import { Section } from './section.tsx'

/** The end of a device's use; what goes with it is named before it happens. */
export function DecommissionSection({ device: { id, name, imei } }: { device: LifeDevice }) {
  const { t } = useTranslation('deviceLife')
  const ask = () =>
    confirm({
      title: t('decommission.confirmTitle', { name }),
      text: t('decommission.confirmText', { imei: imei ?? t('decommission.noHardware') }),
      action: t('decommission.action'),
      destructive: true,
      warning: <Silenced of={{ without: 'device', id }} />,
      run: async () => {
        await call(deviceLife.decommission, { params: { id }, body: {} })
        toastSuccess(t('decommission.done'))
        await refetchLife()
      },
    })
  return (
    <Section
      title={t('decommission.title')}
      text={t('decommission.help')}
      actions={
        <Button variant="default" c="var(--state-warm)" onClick={ask}>
          {t('decommission.action')}
        </Button>
      }
    />
  )
}
