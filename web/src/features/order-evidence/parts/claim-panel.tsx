import { type ClaimPack, type NoticePeriods, orderEvidence } from '@isotherm/contract/order-evidence.ts'
import type { OrderDetails } from '@isotherm/contract/orders.ts'
import { ActionIcon, Button, Paper, Progress, Tooltip } from '@mantine/core'
import { IconDownload, IconFileCertificate } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { download } from '../../../lib/download.ts'
import { useNow } from '../../../lib/now.ts'
import { useCall } from '../../../lib/query.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import { isUnderWay } from '../../../shared/issued/issued-kind.ts'
import { Failure } from '../../../ui/failure.tsx'
import frames from '../../../ui/frames.module.css'
import { ClaimDialog } from './claim-dialog.tsx'
import classes from './evidence.module.css'

/** The time that is left to tell of a damage, and the claim packs of an order. */
export function ClaimPanel({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('orderEvidence')
  const mayExport = useCan('dispatch.export')
  const [isAsking, setIsAsking] = useState(false)
  const asked = { params: { id: order.id } }
  const notice = useCall(orderEvidence.notice, asked)
  const answer = useCall(orderEvidence.claims, asked)
  const claims = answer.data?.data ?? []
  // While one is being made, it is asked for again and again.
  useCall(orderEvidence.claims, asked, { refetchMs: claims.some(isUnderWay) ? 1_000 : undefined })
  return (
    <Paper component="section" className={frames.panel} aria-labelledby="order-claim">
      <h2 id="order-claim">{t('notice.title')}</h2>
      {notice.error && <Failure error={notice.error} onRetry={() => void notice.refetch()} />}
      {notice.data && <Notice periods={notice.data} />}
      {claims.length > 0 && (
        <>
          <p className={classes.device}>{t('claim.list')}</p>
          <ul className={classes.list}>
            {claims.map((claim) => (
              <li key={claim.id} className={classes.item}>
                <Claim claim={claim} mayExport={mayExport} />
              </li>
            ))}
          </ul>
        </>
      )}
      {mayExport && order.startedAt && (
        <Button
          variant="default"
          mt="sm"
          leftSection={<IconFileCertificate size={16} />}
          onClick={() => setIsAsking(true)}
        >
          {t('claim.new')}
        </Button>
      )}
      {isAsking && <ClaimDialog orderId={order.id} onClose={() => setIsAsking(false)} />}
    </Paper>
  )
}

function Notice({ periods: { stops, noticeDays, skipsSundays, source } }: { periods: NoticePeriods }) {
  const { t } = useTranslation('orderEvidence')
  const now = useNow()
  if (stops.length === 0) return <p className={frames.note}>{t('notice.none')}</p>
  const rule = [t('notice.rule', { count: noticeDays }), skipsSundays && t('notice.withoutSundays'), source]
  return (
    <>
      <ul className={classes.list}>
        {stops.map(({ receiverId, name, until, timezone }) => {
          const left = Date.parse(until) - now
          return (
            <li key={receiverId} className={classes.item}>
              <span>{t('notice.until', { name, time: formatTime(until, timezone) })}</span>
              <span className={left > 0 ? classes.countdown : classes.out}>
                {left > 0 ? t('notice.left', { time: formatDuration(left) }) : t('notice.over')}
              </span>
            </li>
          )
        })}
      </ul>
      <p className={frames.note}>
        {rule.filter(Boolean).join(', ')}. {t('notice.noAdvice')}
      </p>
    </>
  )
}

function Claim({ claim, mayExport }: { claim: ClaimPack; mayExport: boolean }) {
  const { t } = useTranslation('orderEvidence')
  const load = async () => {
    try {
      const file = await call(orderEvidence.claimFile, { params: { id: claim.id } }, { toastAll: true })
      download(file, `${claim.trackingCode}.${claim.format}`)
    } catch {
      // The call has toasted it.
    }
  }
  const building = t('claim.building', { progress: claim.progress })
  return (
    <>
      <span>
        {claim.format.toUpperCase()}, {formatTime(claim.createdAt)}, {claim.requestedBy}
      </span>
      {isUnderWay(claim) && <Progress value={Math.max(4, claim.progress)} w={140} aria-label={building} />}
      {claim.state === 'failed' && <span className={classes.out}>{t('claim.failed')}</span>}
      {claim.removedAt && <span className={frames.note}>{t('claim.removed')}</span>}
      {claim.state === 'ready' && !claim.removedAt && mayExport && (
        <Tooltip label={t('claim.download')}>
          <ActionIcon
            variant="default"
            aria-label={`${t('claim.download')}: ${claim.format.toUpperCase()}, ${formatTime(claim.createdAt)}`}
            onClick={() => void load()}
          >
            <IconDownload size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </>
  )
}
