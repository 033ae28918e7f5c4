import { shipments } from '@isotherm/contract/shipment-calls.ts'
import type { ShipmentDetails, ShipmentLeg } from '@isotherm/contract/shipments.ts'
import { Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { named } from '../../../lib/named.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { nameOfLeg } from '../journey-line.ts'
import { showShipment } from '../refetch-shipment.ts'

/** Puts another departure in the place of one that the container missed. */
export function RollDialog(props: { shipment: ShipmentDetails; leg: ShipmentLeg; onClose: () => void }) {
  const { shipment, leg, onClose } = props
  const { t } = useTranslation('shipments')
  const carriage = leg.mode === 'air' ? 'flightNumber' : leg.mode === 'sea' ? 'vesselName' : 'carrierName'
  const form = useEntityForm({
    initialValues: { leg: { [carriage]: '', voyage: '', etd: '', eta: '' } as Record<string, string> },
    required: [],
    toBody: ({ leg: { voyage, etd, eta, ...values } }) => ({
      legId: leg.id,
      leg: {
        ...{ mode: leg.mode, [carriage]: values[carriage]?.trim() || null, etd: etd || null, eta: eta || null },
        ...(leg.mode === 'sea' && { voyage: voyage?.trim() || null }),
      },
    }),
    save: (body) => call(shipments.rollOver, { params: { id: shipment.id }, body }, { toastAll: true }),
    onSaved: (saved) => {
      toastSuccess(t('journey.rolledDone'))
      showShipment(saved)
      onClose()
    },
  })
  const { getInputProps } = form.fields
  return (
    <FormDialog
      title={named(t('journey.roll'), nameOfLeg(leg, t(`mode.${leg.mode}`)))}
      form={form}
      submitLabel={t('journey.roll')}
      onClose={onClose}
    >
      <Text size="sm">{t('journey.rollText')}</Text>
      <TextInput label={t(`fields.${carriage}`)} data-autofocus maxLength={120} {...getInputProps(`leg.${carriage}`)} />
      {leg.mode === 'sea' && <TextInput label={t('fields.voyage')} maxLength={40} {...getInputProps('leg.voyage')} />}
      <DateField withTime label={t('fields.etd')} description={t('form.localTime')} {...getInputProps('leg.etd')} />
      <DateField withTime label={t('fields.eta')} description={t('form.localTime')} {...getInputProps('leg.eta')} />
    </FormDialog>
  )
}
