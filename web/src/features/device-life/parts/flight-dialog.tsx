import { deviceLife, FlightModeChange } from '@isotherm/contract/device-life.ts'
import { instantOf } from '@isotherm/contract/zone-times.ts'
import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useSession } from '../../../lib/session.ts'
import { formatTime, zoneNameAt } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { type LifeDevice, refetchLife } from '../use-life.ts'

/** The flight at whose departure flight mode starts. */
export function FlightDialog({ device, onClose }: { device: LifeDevice; onClose: () => void }) {
  const { t } = useTranslation('deviceLife')
  const zone = useSession((state) => state.timezone)
  const form = useEntityForm({
    initialValues: { carrierCode: '', flightNumber: '', scheduledDepartureDate: '' },
    schema: FlightModeChange,
    toBody: ({ carrierCode, flightNumber, scheduledDepartureDate: at }) => ({
      carrierCode,
      flightNumber,
      // Left empty it is refused as any other that is no time.
      scheduledDepartureDate: at ? instantOf(at, zone) : '',
    }),
    save: (body) => call(deviceLife.flightMode, { params: { id: device.id }, body }),
    onSaved: ({ scheduledDepartureDate }) => {
      toastSuccess(t('flight.scheduled', { time: formatTime(scheduledDepartureDate ?? 0) }))
      void refetchLife()
      onClose()
    },
  })
  const { getInputProps, values } = form.fields
  return (
    <FormDialog
      title={t('flight.dialog', { name: device.name })}
      form={form}
      submitLabel={t('flight.submit')}
      onClose={onClose}
    >
      <TextInput
        label={t('flight.carrier')}
        description={t('flight.carrierHelp')}
        autoComplete="off"
        maxLength={5}
        data-autofocus
        {...getInputProps('carrierCode')}
      />
      <TextInput
        label={t('flight.number')}
        description={t('flight.numberHelp')}
        autoComplete="off"
        maxLength={8}
        {...getInputProps('flightNumber')}
      />
      <DateField
        withTime
        label={t('flight.departure', { zone: zoneNameAt(values.scheduledDepartureDate, zone) })}
        description={t('flight.departureHelp')}
        {...getInputProps('scheduledDepartureDate')}
      />
    </FormDialog>
  )
}
