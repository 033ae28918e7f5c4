import type { ClaimPack, NewClaim, NoticePeriods } from '@isotherm/contract/order-evidence.ts'
import { ActionIcon, Button, Paper, Progress, Tooltip } from '@mantine/core'
import { IconDownload, IconFileCertificate } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallError } from '../../lib/call-error.ts'
import { useCan } from '../../lib/can.ts'
import { download } from '../../lib/download.ts'
import { languageNames } from '../../lib/languages.ts'
import { named } from '../../lib/named.ts'
import { useNow } from '../../lib/now.ts'
import { formatDuration, formatTime } from '../../lib/times.ts'
import { toastSuccess } from '../../lib/toast.ts'
import { Failure } from '../../ui/failure.tsx'
import frames from '../../ui/frames.module.css'
import { isUnderWay } from '../issued/issued-kind.ts'
import { ClaimDialog } from './claim-dialog.tsx'
import classes from './claims.module.css'

type Claim = Pick<
  ClaimPack,
  'id' | 'format' | 'locale' | 'state' | 'progress' | 'createdAt' | 'requestedBy' | 'removedAt'
>

export interface ClaimsPanelProps {
  notice: { data?: NoticePeriods | undefined; error: CallError | null; refetch: () => unknown }
  claims: readonly Claim[]
  /** False: nothing has begun that one could claim for. */
  hasStarted: boolean
  ask: (claim: NewClaim) => Promise<{ id: string }>
  onAsked: () => void
  load: (id: string) => Promise<Blob>
  /** The name of the saved file, without its ending. */
  fileName: string
}

/** The time that is left to tell of a damage, and the claim packs that were made. */
export function ClaimsPanel({ notice, claims, hasStarted, ask, onAsked, load, fileName }: ClaimsPanelProps) {
  const { t } = useTranslation(['orderEvidence', 'issued'])
  const mayExport = useCan('dispatch.export')
  const [isAsking, setIsAsking] = useState(false)
  const save = async ({ id, format }: Claim) => {
    const file = await load(id).catch(() => undefined)
    if (!file) return
    download(file, `${fileName}.${format}`)
    toastSuccess(t('issued:downloaded'))
  }
  const awaitClaim = useAwaited(claims, save)
  return (
    <Paper component="section" className={frames.panel} aria-label={t('notice.title')}>
      <h2>{t('notice.title')}</h2>
      {notice.error && <Failure error={notice.error} onRetry={() => void notice.refetch()} />}
      {notice.data && <Notice periods={notice.data} />}
      {claims.length > 0 && (
        <>
          <p className={classes.heading}>{t('claim.list')}</p>
          <ul className={classes.list}>
            {claims.map((claim) => (
              <li key={claim.id} className={classes.item}>
                <ClaimLine claim={claim} save={mayExport ? save : null} />
              </li>
            ))}
          </ul>
        </>
      )}
      {mayExport && hasStarted && (
        <Button
          variant="default"
          mt="sm"
          leftSection={<IconFileCertificate size={16} />}
          disabled={!notice.data}
          onClick={() => setIsAsking(true)}
        >
          {t('claim.new')}
        </Button>
      )}
      {isAsking && notice.data && (
        <ClaimDialog
          carriage={notice.data.carriage}
          ask={ask}
          onAsked={(id) => {
            awaitClaim(id)
            onAsked()
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Paper>
  )
}

/** Saves a claim pack that was asked for here as soon as it is made; who leaves the screen finds it in the list. */
function useAwaited(claims: readonly Claim[], save: (claim: Claim) => Promise<void>): (id: string) => void {
  const [awaited, setAwaited] = useState<string | null>(null)
  const made = claims.find((claim) => claim.id === awaited && !isUnderWay(claim))
  useEffect(() => {
    if (!made) return
    setAwaited(null)
    if (made.state === 'ready') void save(made)
  })
  return setAwaited
}

function Notice({ periods: { stops, noticeDays, skipsSundays, source, carriage } }: { periods: NoticePeriods }) {
  const { t } = useTranslation('orderEvidence')
  const now = useNow()
  if (stops.length === 0) return <p className={frames.note}>{t('notice.none')}</p>
  const rule = [
    t('notice.rule', { count: noticeDays }),
    skipsSundays && t('notice.withoutSundays'),
    source !== null && t(`claim.articles.${carriage}`),
  ]
  return (
    <>
      <ul className={classes.list}>
        {stops.map(({ receiverId, name, until, timezone }) => {
          const left = Date.parse(until) - now
          return (
            <li key={receiverId} className={classes.item}>
              <span>{t('notice.until', { name, time: formatTime(until, timezone) })}</span>
              <span className={left > 0 ? classes.countdown : classes.over}>
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

interface ClaimLineProps {
  claim: Claim
  /** Null: the person may not have it. */
  save: ((claim: Claim) => Promise<void>) | null
}

function ClaimLine({ claim, save }: ClaimLineProps) {
  const { t } = useTranslation('orderEvidence')
  const building = t('claim.building', { progress: claim.progress })
  const name = `${claim.format.toUpperCase()}, ${formatTime(claim.createdAt)}, ${languageNames[claim.locale]}`
  return (
    <>
      <span>
        {name}, {claim.requestedBy}
      </span>
      {isUnderWay(claim) && <Progress value={Math.max(4, claim.progress)} w={140} aria-label={building} />}
      {claim.state === 'failed' && <span className={classes.over}>{t('claim.failed')}</span>}
      {claim.removedAt && <span className={frames.note}>{t('claim.removed')}</span>}
      {claim.state === 'ready' && !claim.removedAt && save && (
        <Tooltip label={t('claim.download')}>
          <ActionIcon variant="default" aria-label={named(t('claim.download'), name)} onClick={() => void save(claim)}>
            <IconDownload size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </>
  )
}
