import { type ApiKey, unusedKeyDays } from '@isotherm/contract/developer.ts'
import { IconKeyOff, IconPencil, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useRealNow } from '../../../lib/now.ts'
import { formatMoment } from '../../../lib/times.ts'
import { Age } from '../../../ui/age.tsx'
import { RowMenu } from '../../../ui/list/row-menu.tsx'
import { StateDot } from '../../../ui/state-dot.tsx'
import { isOver, keyTones, permissionsInWords, shownHint } from '../key-words.ts'
import classes from './developer.module.css'

const dayMs = 86_400_000
/** The end of a key that comes so soon stands out. */
const soonDays = 7

interface KeyRowProps {
  known: ApiKey
  onEdit: () => void
  onRotate: () => void
  onRevoke: () => void
}

/** A key: what it may do, from where and until when, and when it was used last. */
export function KeyRow({ known, onEdit, onRotate, onRevoke }: KeyRowProps) {
  const { t } = useTranslation(['developer', 'users'])
  const now = useRealNow()
  const { name, state, networks, seesPrivate, lastUsedAt, lastUsedAddress, oldSecretUntil } = known
  const granted = permissionsInWords(known, t)
  const sinceMs = now - Date.parse(lastUsedAt ?? known.createdAt)
  const leftDays = Math.ceil((Date.parse(known.expiresAt) - now) / dayMs)
  const end = {
    active: t('keys.ends', { time: formatMoment(known.expiresAt) }),
    stopped: t('keys.stopped', { name: known.admin.name }),
    expired: t('keys.expired', { time: formatMoment(known.expiresAt) }),
    revoked: t('keys.revokedBy', { name: known.revokedBy, time: formatMoment(known.revokedAt ?? known.expiresAt) }),
  }[state]
  const actions = [
    { label: t('common:actions.edit'), icon: <IconPencil size={16} />, onClick: onEdit },
    ...(state === 'expired' ? [] : [{ label: t('keys.rotate'), icon: <IconRefresh size={16} />, onClick: onRotate }]),
    { label: t('keys.revoke'), icon: <IconKeyOff size={16} />, onClick: onRevoke, destructive: true },
  ]
  return (
    <li className={classes.key} data-row>
      <div className={classes.keyHead}>
        <span className={classes.name}>{name}</span>
        <code className={classes.hint}>{shownHint(known)}</code>
        <StateDot tone={keyTones[state]} label={t(`states.${state}`)} hollow={isOver(known)} />
      </div>
      {state !== 'revoked' && <RowMenu name={name} actions={actions} />}
      <div className={classes.about}>
        <p>{granted.length > 0 ? granted.join(' · ') : t('keys.nothing')}</p>
        <p>
          {[
            networks.length > 0 ? t('keys.from', { networks: networks.join(', ') }) : t('keys.anywhere'),
            seesPrivate && t('keys.seesPrivate'),
            t('keys.madeBy', { name: known.createdBy, time: formatMoment(known.createdAt) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p>
          {lastUsedAt ? (
            <>
              {t('keys.lastUsed')} <Age at={lastUsedAt} isReal />
              {lastUsedAddress && ` ${t('keys.by', { address: lastUsedAddress })}`}
            </>
          ) : (
            t('keys.neverUsed')
          )}
          {' · '}
          <span data-tone={state === 'active' && leftDays <= soonDays ? 'warning' : undefined} className={classes.end}>
            {end}
          </span>
        </p>
        {oldSecretUntil && !isOver(known) && <p>{t('keys.oldSecret', { time: formatMoment(oldSecretUntil) })}</p>}
        {state === 'active' && sinceMs > unusedKeyDays * dayMs && (
          <p className={classes.end} data-tone="warning">
            {t('keys.unused', { count: unusedKeyDays })}
          </p>
        )}
      </div>
    </li>
  )
}
