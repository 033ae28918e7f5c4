import { deviceLife } from '@isotherm/contract/device-life.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/call.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { confirm } from '../../ui/confirm.ts'
import { type LifeDevice, refetchLife } from './use-life.ts'

/** Asks, then turns flight mode on or off, or takes a flight back that has not departed. */
export function useFlightMode({ id, name }: LifeDevice) {
  const { t } = useTranslation('deviceLife')
  const change = async (state: 'on' | 'off', done: string | null) => {
    await call(deviceLife.flightModeDirect, { params: { id }, body: { state } })
    if (done) toastSuccess(done)
    await refetchLife()
  }
  return {
    switchOn: () =>
      confirm({
        title: t('flight.onTitle', { name }),
        text: t('flight.onText'),
        action: t('flight.turnOn'),
        run: () => change('on', t('flight.onDone')),
      }),
    switchOff: (awaited: string | null) =>
      confirm({
        title: awaited ? t('flight.takeBackTitle', { flight: awaited, name }) : t('flight.offTitle', { name }),
        text: t(awaited ? 'flight.takeBackText' : 'flight.offText'),
        action: t(awaited ? 'flight.takeBack' : 'flight.turnOff'),
        run: () => change('off', t('flight.offDone')),
      }),
  }
}
