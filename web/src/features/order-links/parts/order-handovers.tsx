import { type OrderHandOver, orderLinks } from '@isotherm/contract/order-links.ts'
import type { OrderDetails, OrderReceiver } from '@isotherm/contract/orders.ts'
import { Button, Group, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { can } from '../../../lib/can.ts'
import { download } from '../../../lib/download.ts'
import { named } from '../../../lib/named.ts'
import { useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'
import { toneOf } from './order-conditions.tsx'
import classes from './order-links.module.css'
import { ReceiptMailDialog } from './receipt-mail-dialog.tsx'
import { ReceiptMails } from './receipt-mails.tsx'

const everyMs = 60_000
/** A button with a name in it. */
const longWords = { root: classes.long, label: classes.longLabel }

/** The goods that changed hands, with signatures, photos and receipts; who may edit the order hands over, too. */
export function OrderHandovers({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('orderLinks')
  const [receiver, setReceiver] = useState<OrderReceiver | null>(null)
  const answer = useCall(orderLinks.handOvers, { params: { id: order.id } }, { refetchMs: everyMs })
  /** A hand-over that became void is signed for again. */
  const isAgain = (id: string) => answer.data?.findLast(({ receiverId }) => receiverId === id)?.voidAt != null
  const open = order.receiverList.filter(({ id, settledAt }) => settledAt === null || isAgain(id))
  const mayGive = order.startedAt !== null && order.state !== 'cancelled' && can('dispatch.addOrEdit')
  return (
    <Panel title={t('handOvers.title')}>
      {answer.data ? (
        <ul className={classes.list}>
          {answer.data.length === 0 && <li className={classes.small}>{t('handOvers.none')}</li>}
          {answer.data.map((one) => (
            <Row key={one.id} order={order} handOver={one} />
          ))}
        </ul>
      ) : answer.error ? (
        <Failure error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton height={64} />
      )}
      {mayGive && (
        <Group gap="xs" mt="sm">
          {open.slice(0, 10).map((one) => (
            <Button key={one.id} variant="default" size="sm" classNames={longWords} onClick={() => setReceiver(one)}>
              {t('form.title', { name: one.party.name })}
            </Button>
          ))}
        </Group>
      )}
      {receiver && <HandOverDialog orderId={order.id} receiver={receiver} onClose={() => setReceiver(null)} />}
    </Panel>
  )
}

function Row({ order, handOver }: { order: OrderDetails; handOver: OrderHandOver }) {
  const { t } = useTranslation('orderLinks')
  const receiver = order.receiverList.find(({ id }) => id === handOver.receiverId)
  const zone = receiver?.stop.timezone ?? order.timezone
  const { conditions, photos, voidAt, readingsAddedAt } = handOver
  const params = { id: order.id, receiverId: handOver.receiverId }
  const save = (content: Promise<Blob>, name: string) =>
    void content.then((blob) => download(blob, name)).catch(() => undefined)
  const stands = voidAt === null
  const [isMailing, setMailing] = useState(false)
  // Every hand-over has the same ones.
  const act = (action: string) => ({
    ...{ variant: 'default', size: 'sm', children: action },
    'aria-label': receiver && named(action, receiver.party.name),
  })
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <b>{named(receiver?.party.name ?? '', t(`outcome.${handOver.outcome}`))}</b>
        {conditions && (
          <span data-tone={toneOf(conditions)} style={{ color: 'var(--tone)' }}>
            {t(`verdict.${conditions.verdict}`)}
          </span>
        )}
        <span className={classes.small}>
          {handOver.signerName ? t('handOvers.signedBy', { name: handOver.signerName }) : t('handOvers.unsigned')}
          {handOver.by && ` · ${t(`source.${sourceOf(handOver)}`, { name: handOver.by })}`}
        </span>
        <span className={classes.small}>
          {t('handOvers.happened')} {formatTime(handOver.occurredAt, zone)} · {t('handOvers.heard')}{' '}
          {formatTime(handOver.recordedAt, zone)}
        </span>
        {handOver.reservation && (
          <Text size="sm">
            {t('handOvers.said', { about: t('handOvers.reservation'), words: handOver.reservation })}
          </Text>
        )}
        {handOver.reason && (
          <Text size="sm">{t('handOvers.said', { about: t('handOvers.reason'), words: handOver.reason })}</Text>
        )}
        {readingsAddedAt && !voidAt && (
          <span className={classes.small}>
            {t('handOvers.readingsAdded', { time: formatTime(readingsAddedAt, zone) })}
          </span>
        )}
        {voidAt && <Text size="sm">{t('handOvers.void', { time: formatTime(voidAt, zone) })}</Text>}
        <ReceiptMails mails={handOver.receiptMails} zone={zone} />
      </div>
      <Group gap="xs">
        {handOver.signatureSha256 && (
          <Button
            {...act(t('handOvers.signature'))}
            onClick={() =>
              save(
                call(orderLinks.signature, { params: { id: handOver.id } }, { toastAll: true }),
                `signature-${handOver.id}.png`,
              )
            }
          />
        )}
        {photos.map(({ id }, place) => (
          <Button
            key={id}
            {...act(t('handOvers.photo', { number: place + 1 }))}
            onClick={() => save(call(orderLinks.handOverFile, { params: { id } }, { toastAll: true }), `photo-${id}`)}
          />
        ))}
        {stands &&
          (handOver.receiptSha256 ? (
            <Button
              {...act(t('handOvers.receipt'))}
              onClick={() =>
                save(call(orderLinks.receipt, { params }, { toastAll: true }), `receipt-${order.trackingCode}.pdf`)
              }
            />
          ) : (
            <span className={classes.small}>{t('handOvers.receiptSoon')}</span>
          ))}
        {stands && handOver.receiptSha256 && can('dispatch.export') && (
          <Button {...act(t('handOvers.sendReceipt'))} onClick={() => setMailing(true)} />
        )}
        {isMailing && receiver && (
          <ReceiptMailDialog orderId={order.id} receiver={receiver} onClose={() => setMailing(false)} />
        )}
      </Group>
    </li>
  )
}

const sourceOf = ({ source }: OrderHandOver): 'person' | 'driverLink' | 'receiverLink' =>
  source === 'driverLink' || source === 'receiverLink' ? source : 'person'
