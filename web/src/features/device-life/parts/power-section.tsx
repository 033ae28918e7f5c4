import { deviceLife } from '@isotherm/contract/device-life.ts'
import { Button } from '@mantine/core'
import { IconPower } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import { refetchLife } from '../use-life.ts'
import { Section } from './section.tsx'
import type { LifeProps } from './section-props.ts'

/** Turns the hardware off, or on where it still listens. */
export function PowerSection({ device, life, mayEdit }: LifeProps) {
  const { t } = useTranslation('deviceLife')
  const { imei, name } = device
  const next = life.power === 'on' ? 'off' : 'on'
  const ask = () =>
    confirm({
      title: t(`power.${next}Title`, { name }),
      text: t(`power.${next}Text`, { imei }),
      action: t(`power.${next}`),
      destructive: next === 'off',
      run: async () => {
        await call(deviceLife.power, { body: { imei: imei ?? '', state: next } })
        toastSuccess(t(`power.${next}Done`))
        await refetchLife()
      },
    })
  return (
    <Section
      title={t('power.title')}
      text={t(life.power === 'on' ? 'power.isOn' : 'power.isOff')}
      actions={
        mayEdit &&
        imei && (
          <Button variant="default" leftSection={<IconPower size={16} />} onClick={ask}>
            {t(`power.${next}`)}
          </Button>
        )
      }
    />
  )
}
