import type { MapType } from '@isotherm/contract/company.ts'
import { useTranslation } from 'react-i18next'
import classes from './map.module.css'
import type { MapPadding } from './map-props.ts'

type MapNoticesProps = {
  broken: boolean
  lost: boolean
  preparing: boolean
  loading: boolean
  unreachable: MapType | null
  missing: MapType | null
  empty: boolean
  emptyText: string | undefined
  /** Covered by panels: the notices keep clear of it. */
  padding: MapPadding | undefined
}

/** Notices about the map right now, in words, over the map. */
export function MapNotices({
  broken,
  lost,
  preparing,
  loading,
  unreachable,
  missing,
  empty,
  emptyText,
  padding,
}: MapNoticesProps) {
  const { t } = useTranslation('map')
  if (broken) return <p className={classes.broken}>{t('notices.broken')}</p>
  const notices = [
    lost && t('notices.lost'),
    preparing && t('notices.preparing'),
    unreachable && t('notices.unreachable', { type: t(`types.${unreachable}`) }),
    missing && t('notices.notConfigured', { type: t(`types.${missing}`) }),
  ].filter(Boolean)
  // Another notice says more.
  if (loading && notices.length === 0) notices.push(t('notices.tiles'))
  return (
    <div className={classes.notices} role="status" style={{ marginTop: padding?.top, marginLeft: padding?.left }}>
      {notices.map((notice) => (
        <p key={String(notice)} className={classes.notice}>
          {notice}
        </p>
      ))}
      {empty && <p className={classes.empty}>{emptyText ?? t('notices.empty')}</p>}
    </div>
  )
}
