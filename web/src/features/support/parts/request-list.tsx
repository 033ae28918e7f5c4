import { type SupportRequest, support } from '@isotherm/contract/support.ts'
import { Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/times.ts'
import { Failure } from '../../../ui/failure.tsx'
import { PageButtons } from '../../../ui/list/page-buttons.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { StateDot, type Tone } from '../../../ui/state-dot.tsx'
import classes from './support.module.css'

/** One's own requests with their answers, newest first; for an Admin those of the team. */
export function RequestList() {
  const { t } = useTranslation('support')
  const [page, setPage] = useState(1)
  const answer = useCall(support.requests, { query: { page, perPage: 10 } })
  const isAdmin = useSession((state) => state.profile?.role === 'admin')
  const { data } = answer
  return (
    <Panel title={isAdmin ? t('requests.team') : t('requests.title')}>
      {!data && answer.error && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {!data && !answer.error && <Skeleton height={120} role="status" aria-label={t('common:list.loading')} />}
      {data?.data.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('requests.empty')}
        </Text>
      )}
      {data && data.data.length > 0 && (
        <ul className={classes.rows}>
          {data.data.map((request) => (
            <Request key={request.id} request={request} />
          ))}
        </ul>
      )}
      {data && data.meta.pageCount > 1 && <PageButtons page={page} pageCount={data.meta.pageCount} onTurn={setPage} />}
    </Panel>
  )
}

const tones: Record<SupportRequest['state'], Tone> = { open: 'warning', answered: 'ok', closed: 'none' }

function Request({ request }: { request: SupportRequest }) {
  const { t } = useTranslation('support')
  const { kind, title, category, urgency, quantity, state, by, isOwn, at, description, answers } = request
  const categoryName = category && t(`categories.${category}`)
  const about = [
    t(`kinds.${kind}`),
    title && categoryName,
    urgency === 'high' && t('requests.urgent'),
    quantity !== null && t('requests.quantity', { count: quantity }),
    !isOwn && by,
    formatMoment(at),
  ]
  return (
    <li data-row>
      <span className={classes.head}>
        <span className={classes.name}>{title || categoryName}</span>
        <StateDot tone={tones[state]} label={t(`states.${state}`)} hollow={state === 'closed'} />
      </span>
      <span className={classes.about}>{about.filter(Boolean).join(' · ')}</span>
      {description && <p className={classes.words}>{description}</p>}
      {answers.map((answer) => (
        <div key={answer.at} className={classes.answer}>
          <span className={classes.about}>{t('requests.answer', { date: formatMoment(answer.at) })}</span>
          <p className={classes.words}>{answer.text}</p>
        </div>
      ))}
    </li>
  )
}
