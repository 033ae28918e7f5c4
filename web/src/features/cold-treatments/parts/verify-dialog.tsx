import { coldTreatments, type UnprovenTime, VerifyGap } from '@isotherm/contract/cold-treatments.ts'
import { instantOf, localTimeOf } from '@isotherm/contract/zone-times.ts'
import { Text, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { DateField } from '../../../ui/date-field.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'

interface Props {
  shipmentId: string
  gap: UnprovenTime
  version: number
  onClose: () => void
}

/** Tells of an official's word for a gap. A time that is left as it came is sent with its seconds. */
export function VerifyDialog({ shipmentId, gap, version, onClose }: Props) {
  const { t } = useTranslation('coldTreatments')
  const zone = useSession((state) => state.timezone)
  const begun = { from: localTimeOf(gap.from, zone), to: localTimeOf(gap.to, zone) }
  const exact = (end: 'from' | 'to', typed: string) => (typed === begun[end] ? gap[end] : instantOf(typed, zone))
  const form = useEntityForm({
    initialValues: { ...begun, by: '', note: '' },
    schema: VerifyGap,
    toBody: ({ from, to, by, note }) => ({ from: exact('from', from), to: exact('to', to), by, note, version }),
    save: (body) => call(coldTreatments.verifyGap, { params: { id: shipmentId }, body }),
    onSaved: () => {
      toastSuccess(t('verified'))
      void refetchCalls(coldTreatments.one)
      onClose()
    },
  })
  const { getInputProps } = form.fields
  return (
    <FormDialog title={t('verifyTitle')} form={form} submitLabel={t('verifySubmit')} onClose={onClose}>
      <Text size="sm">{t('verifyText')}</Text>
      <TextInput label={t('official')} {...getInputProps('by')} />
      <Textarea label={t('note')} rows={3} {...getInputProps('note')} />
      <DateField withTime label={t('from')} {...getInputProps('from')} />
      <DateField withTime label={t('to')} {...getInputProps('to')} />
    </FormDialog>
  )
}
