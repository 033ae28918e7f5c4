import { Skeleton, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatusChips } from '../../features/devices/parts/status-chips.ts'
import { formatNumber } from '../../lib/numbers.ts'
import { Failure } from '../../ui/failure.tsx'
import { ChoiceFilter } from '../../ui/list/choice-filter.tsx'
import { ListToolbar } from '../../ui/list/list-toolbar.tsx'
import { Renewing } from '../../ui/renewing.tsx'
import { FleetList } from './fleet-list.tsx'
import classes from './maps.module.css'
import { useFleet } from './use-fleet-screen.ts'

/** Search, filters and the list of devices: at the left, on a phone a sheet from the bottom. */
export function FleetPanel() {
  const { t } = useTranslation('maps')
  const { fleet, isPhone, selectByName } = useFleet()
  const { answer, all, shown, summary, tags, groups, params, selected } = fleet
  const [open, setOpen] = useState(!isPhone)
  const chips = useStatusChips(summary, params.filters.status)
  const without = shown.filter(({ lat }) => lat === null).length
  const Chevron = open === isPhone ? IconChevronDown : IconChevronUp
  const counts = [t('count', { count: shown.length, formatted: formatNumber(shown.length) })]
  if (without > 0) counts.push(t('without', { count: without }))
  return (
    <section className={classes.panel} data-open={open || undefined} aria-label={t('panel')}>
      <UnstyledButton className={classes.handle} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span>{answer.data ? counts.join(' · ') : t('panel')}</span>
        <Chevron size={18} aria-hidden="true" />
        <span className="visually-hidden">{t(open ? 'hide' : 'show')}</span>
      </UnstyledButton>
      {open && (
        <>
          <div className={classes.tools}>
            <ListToolbar
              params={params}
              searchLabel={t('search')}
              filters={[chips]}
              extra={
                <div className={classes.choices}>
                  <ChoiceFilter params={params} name="group" label={t('devices:columns.group')} data={groups} />
                  <ChoiceFilter params={params} name="tag" label={t('devices:columns.tag')} data={tags} />
                </div>
              }
            />
          </div>
          {answer.data ? (
            <Renewing isOld={answer.isPlaceholderData} className={classes.devices}>
              <FleetList
                devices={shown}
                selectedId={selected?.id ?? null}
                emptyText={t(all.length === 0 ? 'empty' : 'none')}
                onSelect={(id) => {
                  if (isPhone) setOpen(false)
                  selectByName(id)
                }}
              />
            </Renewing>
          ) : answer.error ? (
            <Failure error={answer.error} onRetry={() => void answer.refetch()} />
          ) : (
            <Skeleton height={240} m="sm" />
          )}
        </>
      )}
    </section>
  )
}
