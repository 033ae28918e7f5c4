import { orderLinks } from '@isotherm/contract/order-links.ts'
import type { OrderReceiver, Outcome } from '@isotherm/contract/orders.ts'
import { Button, Modal, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { refetchCalls } from '../../../lib/query.ts'
import { newRequestId } from '../../../lib/request-id.ts'
import { toastSuccess } from '../../../lib/toast.ts'

const outcomes = ['delivered', 'partlyDelivered', 'refused', 'failed'] as const

interface Props {
  orderId: string
  receiver: OrderReceiver
  onClose: () => void
}

/** Hands goods over in the name of a member. What was typed stays when the server refuses. */
export function HandOverDialog({ orderId, receiver, onClose }: Props) {
  const { t } = useTranslation('orderLinks')
  const [outcome, setOutcome] = useState<Outcome>('delivered')
  const [words, setWords] = useState({ said: '', signerName: '', signerRole: '' })
  const [isSending, setSending] = useState(false)
  const [requestId] = useState(newRequestId)
  const isTaken = outcome === 'delivered' || outcome === 'partlyDelivered'
  const typed = (name: keyof typeof words) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setWords((before) => ({ ...before, [name]: value }))
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setSending(true)
    const said = words.said.trim() || null
    const facts = {
      ...{ outcome, requestId, at: new Date().toISOString() },
      ...(isTaken ? { reservation: said } : { reason: said }),
      ...{ signerName: words.signerName.trim() || null, signerRole: words.signerRole.trim() || null },
    }
    try {
      await call(orderLinks.handOver, {
        ...{ params: { id: orderId, receiverId: receiver.id }, body: { facts: JSON.stringify(facts) } },
      })
      await refetchCalls(orderLinks.handOvers, orderLinks.conditions)
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
    >
      <form onSubmit={send}>
        <Stack>
          <NativeSelect
            label={t('form.outcome')}
            value={outcome}
            onChange={(event) => setOutcome(event.currentTarget.value as Outcome)}
            data={outcomes.map((value) => ({ value, label: t(`outcome.${value}`) }))}
          />
          <Textarea
            label={t(isTaken ? 'form.reservation' : 'form.reason')}
            value={words.said}
            maxLength={1_000}
            required={!isTaken}
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
          <Button type="submit" loading={isSending}>
            {t('form.save')}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
