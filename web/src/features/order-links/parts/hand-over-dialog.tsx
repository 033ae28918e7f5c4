import { orderLinks } from '@isotherm/contract/order-links.ts'
import type { OrderReceiver, Outcome } from '@isotherm/contract/orders.ts'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { newRequestId } from '../../../lib/request-id.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { factsOf, isTaken } from '../../../shared/hand-over/facts-of.ts'
import type { Signature } from '../../../shared/hand-over/signature-on.ts'
import { type TakenItem, TakenItems } from '../../../shared/hand-over/taken-items.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useEntityForm } from '../../../ui/form/use-entity-form.ts'
import { refetchHandOvers } from '../refetch-hand-overs.ts'
import { PhotosField } from './photos-field.tsx'
import { SignatureField } from './signature-field.tsx'

const outcomes = ['delivered', 'partlyDelivered', 'refused', 'failed'] as const

interface Props {
  orderId: string
  receiver: OrderReceiver
  onClose: () => void
}

const pngOf = (drawn: Blob) => new File([drawn], 'signature.png', { type: 'image/png' })
const photoOf = (photo: Blob, index: number) => [
  `photo${index + 1}`,
  new File([photo], `photo-${index + 1}.jpg`, { type: 'image/jpeg' }),
]

/** Hands goods over in the name of a member: the outcome of each item, a signature, photos. What was typed stays when the server refuses. */
export function HandOverDialog({ orderId, receiver, onClose }: Props) {
  const { t } = useTranslation('orderLinks')
  const signature = useRef<Signature>(null)
  const [requestId] = useState(newRequestId)
  const form = useEntityForm({
    initialValues: {
      ...{ outcome: 'delivered' as Outcome, said: '', signerName: '', signerRole: '', photos: [] as Blob[] },
      items: receiver.items.map(({ quantity }): TakenItem => ({ delivered: quantity, reason: '' })),
    },
    required: ({ outcome, items }) => [
      ...(isTaken(outcome) ? [] : ['said']),
      ...(outcome === 'partlyDelivered' ? items.map((_, at) => `items.${at}.delivered`) : []),
    ],
    toBody: ({ items, ...typed }) => {
      const taken = items.map(({ delivered, reason }) => ({
        delivered: Number(delivered),
        reason: reason.trim() || null,
      }))
      return factsOf({ ...typed, items: taken }, { requestId, at: new Date().toISOString() })
    },
    save: async (facts, { photos }) => {
      const drawn = (await signature.current?.read()) ?? null
      const files = Object.fromEntries(photos.map(photoOf)) as Record<'photo1', File>
      return call(orderLinks.handOver, {
        params: { id: orderId, receiverId: receiver.id },
        body: { facts: JSON.stringify(facts), ...(drawn && { signature: pngOf(drawn) }), ...files },
      })
    },
    onSaved: () => {
      toastSuccess(t('form.saved'))
      void refetchHandOvers()
      onClose()
    },
  })
  const { getInputProps, getValues, setFieldValue } = form.fields
  const { outcome, items, photos } = getValues()
  return (
    <FormDialog
      title={t('form.title', { name: receiver.party.name })}
      form={form}
      submitLabel={t('form.save')}
      onClose={onClose}
      size="lg"
    >
      <NativeSelect
        label={t('form.outcome')}
        data={outcomes.map((value) => ({ value, label: t(`outcome.${value}`) }))}
        {...getInputProps('outcome')}
      />
      {outcome === 'partlyDelivered' && (
        <TakenItems
          goods={receiver.items}
          items={items}
          propsOf={(field) => getInputProps(`items.${field}`)}
          takenLabel={(quantity) => t('form.taken', { quantity: formatNumber(quantity) })}
          reasonLabel={t('form.itemReason')}
        />
      )}
      <Textarea
        label={t(isTaken(outcome) ? 'form.reservation' : 'form.reason')}
        maxLength={1_000}
        autosize
        {...getInputProps('said')}
      />
      <TextInput label={t('form.signerName')} maxLength={120} {...getInputProps('signerName')} />
      <TextInput label={t('form.signerRole')} maxLength={120} {...getInputProps('signerRole')} />
      <SignatureField ref={signature} />
      <PhotosField photos={photos} onChange={(next) => setFieldValue('photos', next)} />
    </FormDialog>
  )
}
