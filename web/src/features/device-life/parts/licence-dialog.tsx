import { deviceLife, type HardwarePeriod, LicenceAdding } from '@isotherm/contract/device-life.ts'
import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatDate } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { type LifeDevice, refetchLife } from '../use-life.ts'

interface LicenceDialogProps {
  device: LifeDevice
  hardware: HardwarePeriod
  licenceNote: (licenceKey: string) => ReactNode
  onClose: () => void
}

/** Asks for a key, says what it is good for, and adds its time. */
export function LicenceDialog({ device, hardware, licenceNote, onClose }: LicenceDialogProps) {
  const { t } = useTranslation('deviceLife')
  const form = useEntityForm({
    initialValues: { licenceKey: '' },
    schema: LicenceAdding,
    toBody: ({ licenceKey }) => ({ imei: hardware.imei, probe: hardware.probe, licenceKey: licenceKey.trim() }),
    save: (body) => call(deviceLife.addLicence, { body }),
    onSaved: ({ licenceUntil }) => {
      toastSuccess(t('licence.done', { date: licenceUntil && formatDate(licenceUntil) }))
      void refetchLife()
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('licence.dialog', { name: device.name })}
      form={form}
      submitLabel={t('licence.submit')}
      onClose={onClose}
    >
      <TextInput
        label={t('licence.licenceKey')}
        description={t('licence.help')}
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        data-autofocus
        {...form.fields.getInputProps('licenceKey')}
      />
      {licenceNote(form.fields.getValues().licenceKey.trim())}
    </FormDialog>
  )
}
