import {
  NewShipmentLink,
  type ShipmentLink,
  shipmentLinkLimits,
  shipmentLinks,
} from '@isotherm/contract/shipment-links.ts'
import { NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { languageNames, localeNames } from '../../../lib/languages.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

interface LinkDialogProps {
  shipmentId: string
  onMade: (link: ShipmentLink) => void
  onClose: () => void
}

/** Asks whom a link is for, in which language, for how long, and whether it shows documents. */
export function LinkDialog({ shipmentId, onMade, onClose }: LinkDialogProps) {
  const { t } = useTranslation('shipmentLinks')
  const form = useEntityForm({
    initialValues: {
      label: '',
      locale: '',
      showsDocuments: false,
      days: shipmentLinkLimits.defaultDays as number | string,
    },
    schema: NewShipmentLink,
    toBody: ({ locale, days, ...values }) => ({
      ...{ ...values, days: Number(days) },
      locale: localeNames.find((name) => name === locale) ?? null,
    }),
    save: (body) => call(shipmentLinks.make, { params: { id: shipmentId }, body }),
    onSaved: onMade,
  })
  const { getInputProps } = form.fields
  return (
    <FormDialog title={t('make')} form={form} submitLabel={t('make')} onClose={onClose}>
      <TextInput label={t('label')} description={t('labelHint')} data-autofocus {...getInputProps('label')} />
      <NativeSelect
        label={t('language')}
        data={[
          { value: '', label: t('browser') },
          ...localeNames.map((value) => ({ value, label: languageNames[value] })),
        ]}
        {...getInputProps('locale')}
      />
      <NumberInput
        label={t('days')}
        min={1}
        max={shipmentLinkLimits.maxDays}
        allowDecimal={false}
        {...getInputProps('days')}
      />
      <Switch label={t('documents')} {...getInputProps('showsDocuments', { type: 'checkbox' })} />
    </FormDialog>
  )
}
