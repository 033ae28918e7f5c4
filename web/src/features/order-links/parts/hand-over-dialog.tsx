import { orderLinks } from '@isotherm/contract/order-links.ts'
import type { OrderReceiver, Outcome } from '@isotherm/contract/orders.ts'
import { Button, Fieldset, Modal, NativeSelect, NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { newRequestId } from '../../../lib/request-id.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { factsOf, isTaken } from '../../../shared/hand-over/facts-of.ts'
import type { Signature } from '../../../shared/hand-over/signature-on.ts'
import { refetchHandOvers } from '../refetch-hand-overs.ts'
import { PhotosField } from './photos-field.tsx'
import { SignatureField } from './signature-field.tsx'

const outcomes = ['delivered', 'partlyDelivered', 'refused', 'failed'] as const

interface Props {
  orderId: string
  receiver: OrderReceiver
  onClose: () => void
}
interface TakenItem {
  delivered: number | string
  reason: string
}

const pngOf = (drawn: Blob) => new File([drawn], 'signature.png', { type: 'image/png' })
const photoOf = (photo: Blob, index: number) => [
  `photo${index + 1}`,
  new File([photo], `photo-${index + 1}.jpg`, { type: 'image/jpeg' }),
]

/** Hands goods over in the name of a member: the outcome of each item, a signature, photos. What was typed stays when the server refuses. */
export function HandOverDialog({ orderId, receiver, onClose }: Props) {
  const { t } = useTranslation('orderLinks')
  const [outcome, setOutcome] = useState<Outcome>('delivered')
  const [words, setWords] = useState({ said: '', signerName: '', signerRole: '' })
  const [items, setItems] = useState<TakenItem[]>(
    receiver.items.map(({ quantity }) => ({ delivered: quantity, reason: '' })),
  )
  const [photos, setPhotos] = useState<Blob[]>([])
  const signature = useRef<Signature>(null)
  const [isSending, setSending] = useState(false)
  const [requestId] = useState(newRequestId)
  const typed = (name: keyof typeof words) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setWords((before) => ({ ...before, [name]: value }))
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setSending(true)
    const taken = items.map(({ delivered, reason }) => ({
      delivered: Number(delivered),
      reason: reason.trim() || null,
    }))
    const facts = factsOf({ outcome, ...words, items: taken }, { requestId, at: new Date().toISOString() })
    try {
      const drawn = (await signature.current?.read()) ?? null
      const files = Object.fromEntries(photos.map(photoOf)) as Record<'photo1', File>
      await call(orderLinks.handOver, {
        params: { id: orderId, receiverId: receiver.id },
        body: { facts: JSON.stringify(facts), ...(drawn && { signature: pngOf(drawn) }), ...files },
      })
      await refetchHandOvers()
      toastSuccess(t('form.saved'))
      onClose()
    } catch {
      // The error rules have said why.
    } finally {
      setSending(false)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('form.title', { name: receiver.party.name })}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      size="lg"
    >
      <form onSubmit={send}>
        <Stack>
          <NativeSelect
            label={t('form.outcome')}
            value={outcome}
            onChange={(event) => setOutcome(event.currentTarget.value as Outcome)}
            data={outcomes.map((value) => ({ value, label: t(`outcome.${value}`) }))}
          />
          {outcome === 'partlyDelivered' && <TakenItems receiver={receiver} items={items} onChange={setItems} />}
          <Textarea
            label={t(isTaken(outcome) ? 'form.reservation' : 'form.reason')}
            value={words.said}
            maxLength={1_000}
            autosize
            required={!isTaken(outcome)}
            onChange={typed('said')}
          />
          <TextInput
            label={t('form.signerName')}
            value={words.signerName}
            maxLength={120}
            onChange={typed('signerName')}
          />
          <TextInput
            label={t('form.signerRole')}
            value={words.signerRole}
            maxLength={120}
            onChange={typed('signerRole')}
          />
          <SignatureField ref={signature} />
          <PhotosField photos={photos} onChange={setPhotos} />
          <Button type="submit" loading={isSending}>
            {t('form.save')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}

interface TakenItemsProps {
  receiver: OrderReceiver
  items: readonly TakenItem[]
  onChange: (items: TakenItem[]) => void
}

/** How many of each item were taken, and why not all. */
function TakenItems({ receiver, items, onChange }: TakenItemsProps) {
  const { t } = useTranslation('orderLinks')
  const change = (at: number, more: Partial<TakenItem>) =>
    onChange(items.map((item, index) => (index === at ? { ...item, ...more } : item)))
  return receiver.items.map(({ id, name, quantity }, at) => {
    const item = items[at]
    if (!item) return null
    return (
      <Fieldset key={id} legend={<Text size="sm">{name}</Text>}>
        <NumberInput
          label={t('form.taken', { quantity: formatNumber(quantity) })}
          min={0}
          max={quantity}
          allowDecimal={false}
          required
          value={item.delivered}
          onChange={(delivered) => change(at, { delivered })}
        />
        {Number(item.delivered) < quantity && (
          <TextInput
            mt="xs"
            label={t('form.itemReason')}
            maxLength={300}
            value={item.reason}
            onChange={({ currentTarget: { value } }) => change(at, { reason: value })}
          />
        )}
      </Fieldset>
    )
  })
}
