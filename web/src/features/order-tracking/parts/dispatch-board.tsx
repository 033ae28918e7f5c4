import { type BoardDriver, type BoardOrder, orderTracking } from '@isotherm/contract/order-tracking.ts'
import { plusDays } from '@isotherm/contract/zone-times.ts'
import { Button, Group, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { formatDate, formatTime } from '../../../lib/times.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { AnchorLink } from '../../../ui/links.tsx'
import { Renewing } from '../../../ui/renewing.tsx'
import { ToneBadge } from '../../../ui/tone-badge.tsx'
import { Arrival } from './arrival.tsx'
import { TemperatureDot } from './temperature-dot.tsx'
import classes from './tracking.module.css'

/** The orders of a day by driver: columns, on a phone one list. */
export function DispatchBoard() {
  const { t } = useTranslation('orderTracking')
  const [day, setDay] = useState<string | undefined>()
  const [page, setPage] = useState(1)
  const answer = useCall(
    orderTracking.board,
    { query: { page, ...(day === undefined ? {} : { day }) } },
    { keepPrevious: true, refetchMs: 60_000 },
  )
  const board = answer.data
  if (!board)
    return answer.error ? (
      <Failure error={answer.error} onRetry={() => void answer.refetch()} />
    ) : (
      <Skeleton height={320} radius="sm" />
    )
  const go = (to: string | undefined) => {
    setDay(to)
    setPage(1)
  }
  const { pageCount } = board.meta
  return (
    <section aria-label={t('board.title')}>
      <Group gap="xs" mb="sm">
        <Button size="xs" variant="default" onClick={() => go(plusDays(board.day, -1))}>
          {t('board.before')}
        </Button>
        <Text size="sm" fw={600}>
          {/* A day of the board is a day of the reader's zone already. */}
          {board.isToday ? t('board.today') : formatDate(`${board.day}T12:00:00Z`, 'UTC')}
        </Text>
        <Button size="xs" variant="default" onClick={() => go(plusDays(board.day, 1))}>
          {t('board.after')}
        </Button>
        {!board.isToday && (
          <Button size="xs" variant="subtle" onClick={() => go(undefined)}>
            {t('board.today')}
          </Button>
        )}
      </Group>
      <Renewing isOld={answer.isPlaceholderData}>
        {board.data.length === 0 ? (
          <Empty title={t('board.none')} text={t('board.noneText')} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways is reached by keyboard, too
          <section className={classes.board} tabIndex={0} aria-label={t('board.columns')}>
            {board.data.map((column) => (
              <Column key={column.driver?.id ?? 'nobody'} column={column} />
            ))}
          </section>
        )}
      </Renewing>
      {pageCount > 1 && (
        <Group gap="xs" mt="sm">
          <Button size="xs" variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('board.previous')}
          </Button>
          <Text size="xs">{t('past.page', { page, pages: pageCount })}</Text>
          <Button size="xs" variant="default" disabled={page === pageCount} onClick={() => setPage(page + 1)}>
            {t('board.following')}
          </Button>
        </Group>
      )}
    </section>
  )
}

function Column({ column: { driver, orders, total } }: { column: BoardDriver }) {
  const { t } = useTranslation('orderTracking')
  return (
    <section className={classes.column} aria-label={driver?.name ?? t('board.nobody')}>
      <h2>
        {driver?.name ?? t('board.nobody')}
        {driver && !driver.isActive && (
          <ToneBadge size="xs" tone="none" ml={6}>
            {t('board.inactive')}
          </ToneBadge>
        )}
      </h2>
      <ul className={classes.cards}>
        {orders.map((order) => (
          <Card key={order.id} order={order} />
        ))}
      </ul>
      {total > orders.length && (
        <Text size="xs" c="dimmed">
          {t('board.more', { count: total - orders.length })}
        </Text>
      )}
    </section>
  )
}

function Card({ order }: { order: BoardOrder }) {
  const { t } = useTranslation('orderTracking')
  const { next, receivers, state } = order
  const isRunning = state === 'inProgress'
  return (
    <li className={classes.card} data-state={order.isLate ? 'late' : state}>
      <div className={classes.head}>
        <AnchorLink to="/dispatch/order/$orderId" params={{ orderId: order.id }}>
          {order.trackingCode}
        </AnchorLink>
        {order.isLate && (
          <ToneBadge size="sm" tone="warning">
            {t('late')}
          </ToneBadge>
        )}
        <Text component="span" size="xs" c="dimmed">
          {t(order.isSnoozed ? 'board.snoozed' : `board.states.${state}`)}
        </Text>
      </div>
      {state !== 'cancelled' && (
        <Text size="sm">{t('board.stops', { done: receivers.settled, count: receivers.total })}</Text>
      )}
      {next ? (
        <>
          <Text size="sm">{t('board.next', { name: next.name })}</Text>
          {next.eta && <Arrival eta={next.eta} timezone={next.timezone} />}
        </>
      ) : (
        <>
          <Text size="sm">{[...new Set([receivers.first, receivers.last])].join(' → ')}</Text>
          <Text size="xs" c="dimmed">
            {t('board.due', { time: formatTime(order.deliverBy, order.timezone) })}
          </Text>
        </>
      )}
      {isRunning && <TemperatureDot temperature={order.temperature} />}
    </li>
  )
}
