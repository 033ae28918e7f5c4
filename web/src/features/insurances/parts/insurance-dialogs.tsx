import { insurances } from '@isotherm/contract/insurances.ts'
import { minorDigits } from '@isotherm/contract/money.ts'
import type { OrderDetails, OrderInsurance } from '@isotherm/contract/orders.ts'
import { instantOf, localTimeOf } from '@isotherm/contract/zone-times.ts'
import { NumberInput, Text, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatMoney } from '../../../lib/money.ts'
import { shownZone, zoneNameAt } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { FileButton } from '../../../ui/file-chooser.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { AnchorLink } from '../../../ui/links.tsx'
import { refetchInsurance } from '../refetch-insurance.ts'
import { InsurancePlans } from './insurance-plans.tsx'

interface DialogProps {
  order: OrderDetails
  onClose: () => void
}

function useSaved(onClose: () => void) {
  const { t } = useTranslation('insurances')
  return (done: 'bought' | 'cancelled' | 'certified') => {
    toastSuccess(t(`done.${done}`))
    void refetchInsurance()
    onClose()
  }
}

const worthOf = ({ receiverList }: OrderDetails) =>
  receiverList.flatMap(({ items }) => items).reduce((sum, { worth }) => sum + (worth ?? 0), 0)

/** Insures the goods of an order by a plan. */
export function BuyDialog({ order, onClose }: DialogProps) {
  const { t } = useTranslation('insurances')
  const saved = useSaved(onClose)
  const form = useEntityForm({
    initialValues: { planId: '' },
    schema: insurances.buy.body,
    toBody: (values) => values,
    save: (body) => call(insurances.buy, { params: { id: order.id }, body }),
    onSaved: () => saved('bought'),
  })
  const { planId } = form.fields.values
  const worth = worthOf(order)
  return (
    <FormDialog
      title={t('insureTitle', { code: order.trackingCode })}
      form={form}
      submitLabel={t('insure')}
      disabled={worth === 0}
      onClose={onClose}
    >
      <Text size="sm">{t('gate')}</Text>
      <InsurancePlans
        worth={worth}
        currency={order.currency}
        value={planId || null}
        onChange={(id) => form.fields.setFieldValue('planId', id ?? '')}
      />
      {worth === 0 && (
        <AnchorLink to="/dispatch/add-dispatch" search={{ edit: order.id }} size="sm">
          {t('orderLife:edit')}
        </AnchorLink>
      )}
      {form.fields.errors.planId && (
        <Text c="red" size="sm" role="alert">
          {form.fields.errors.planId}
        </Text>
      )}
    </FormDialog>
  )
}

/** Cancels the insurance, which lets the order start without a certificate. */
export function CancelDialog({ order, onClose }: DialogProps) {
  const { t } = useTranslation('insurances')
  const saved = useSaved(onClose)
  const form = useEntityForm({
    initialValues: { reason: '' },
    schema: insurances.cancel.body,
    toBody: (values) => values,
    save: (body) => call(insurances.cancel, { params: { id: order.id }, body }),
    onSaved: () => saved('cancelled'),
  })
  return (
    <FormDialog title={t('cancel.title')} form={form} submitLabel={t('cancel.action')} cancels onClose={onClose}>
      <Text size="sm">{t('cancel.note')}</Text>
      <Textarea
        label={t('cancel.reason')}
        autosize
        minRows={2}
        maxLength={300}
        {...form.fields.getInputProps('reason')}
      />
    </FormDialog>
  )
}

/** Keeps a certificate, with what it says. */
export function CertificateDialog({ order, insured, onClose }: DialogProps & { insured: OrderInsurance }) {
  const { t } = useTranslation('insurances')
  const saved = useSaved(onClose)
  const zone = shownZone()
  const scale = 10 ** minorDigits(insured.currency)
  const instant = (local: string) => {
    try {
      return instantOf(local, zone)
    } catch {
      return local
    }
  }
  const form = useEntityForm({
    initialValues: {
      ...{ file: null as File | null, policyNumber: '', worth: (insured.worth / scale) as number | string },
      ...{ validFrom: localTimeOf(insured.requestedAt, zone), validTo: localTimeOf(order.deliverBy, zone) },
    },
    schema: insurances.certify.body,
    toBody: ({ file, policyNumber, worth, validFrom, validTo }) => ({
      ...{
        file: file as File,
        policyNumber,
        currency: insured.currency,
        worth: worth === '' ? '' : String(Math.round(Number(worth) * scale)),
      },
      ...{ validFrom: instant(validFrom), validTo: instant(validTo) },
    }),
    save: (body) => call(insurances.certify, { params: { id: order.id }, body }),
    onSaved: () => saved('certified'),
  })
  const { getInputProps, setFieldValue, values, errors } = form.fields
  return (
    <FormDialog title={t('upload.title')} form={form} submitLabel={t('upload.send')} onClose={onClose}>
      <div>
        <FileButton
          label={t('upload.file')}
          accept=".pdf"
          variant="default"
          onFile={(file) => setFieldValue('file', file)}
        >
          {values.file?.name ?? t('upload.pick')}
        </FileButton>
        {errors.file && (
          <Text c="red" size="sm" role="alert">
            {errors.file}
          </Text>
        )}
      </div>
      <TextInput label={t('upload.policyNumber')} maxLength={80} {...getInputProps('policyNumber')} />
      <NumberInput
        label={t('upload.worth')}
        description={formatMoney(insured.worth, insured.currency)}
        min={0}
        decimalScale={minorDigits(insured.currency)}
        {...getInputProps('worth')}
      />
      <DateField
        withTime
        label={`${t('upload.validFrom')} (${zoneNameAt(values.validFrom, zone)})`}
        {...getInputProps('validFrom')}
      />
      <DateField
        withTime
        label={`${t('upload.validTo')} (${zoneNameAt(values.validTo, zone)})`}
        {...getInputProps('validTo')}
      />
    </FormDialog>
  )
}
