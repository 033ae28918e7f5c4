import { Button, CloseButton, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react'
import { type ReactNode, use, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip } from '../chip.tsx'
import { ListHeadContext } from '../slots.tsx'
import classes from './list.module.css'
import type { ListParams } from './use-list-params.ts'

export interface FilterChips {
  /** The query parameter. */
  name: string
  label: string
  /** Those with a count of nothing are left out, but for the chosen one. */
  options: { value: string; label: ReactNode; count?: number | undefined }[]
  /** The chip that takes the filter away: "All". */
  allLabel: string
  allCount?: number | undefined
}

interface ToolbarProps {
  params: ListParams
  searchLabel?: string
  filters?: FilterChips[]
  extra?: ReactNode
  /** Saved views and columns, beside the page's actions. */
  looks?: ReactNode
}

/** Search and filters above a list; where there is little room the filters open by a button. */
export function ListToolbar({ params, searchLabel, filters = [], extra, looks }: ToolbarProps) {
  const { t } = useTranslation()
  const isSmall = useMediaQuery('(max-width: 820px), (max-height: 500px)', undefined, {
    getInitialValueInEffect: false,
  })
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const chosen = Object.values(params.filters).filter(Boolean).length
  const choices = (
    <>
      {extra}
      {filters.map((filter) => (
        <Chips key={filter.name} filter={filter} params={params} />
      ))}
    </>
  )
  return (
    <div className={classes.toolbar}>
      <div className={classes.finding}>
        {searchLabel && <SearchField params={params} label={searchLabel} />}
        {isSmall && (extra || filters.length > 0) ? (
          <>
            <Button
              variant="default"
              size="sm"
              className={classes.filter}
              aria-expanded={isOpen}
              aria-controls={id}
              leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden="true" />}
              onClick={() => setOpen(!isOpen)}
            >
              {chosen > 0 ? t('list.filterBy', { count: chosen }) : t('list.filter')}
            </Button>
            <div id={id} className={classes.choices} hidden={!isOpen}>
              {choices}
            </div>
          </>
        ) : (
          choices
        )}
      </div>
      <div className={classes.actions} ref={use(ListHeadContext)} data-actions>
        {looks}
      </div>
    </div>
  )
}

const waitMs = 250

function SearchField({ params, label }: { params: ListParams; label: string }) {
  const { t } = useTranslation()
  const [text, setText] = useState(params.search)
  const sent = useRef(params.search)
  // The URL may change by itself: back, forward, a link.
  useEffect(() => {
    if (params.search !== sent.current) {
      sent.current = params.search
      setText(params.search)
    }
  }, [params.search])
  useEffect(() => {
    if (text === sent.current) return
    const timer = setTimeout(() => {
      sent.current = text.trim()
      params.change({ search: text.trim() })
    }, waitMs)
    return () => clearTimeout(timer)
  }, [text, params])
  return (
    <TextInput
      type="search"
      role="searchbox"
      size="sm"
      className={classes.search}
      aria-label={label}
      placeholder={label}
      maxLength={100}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      rightSection={text && <CloseButton size="sm" aria-label={t('actions.clear')} onClick={() => setText('')} />}
    />
  )
}

function Chips({ filter, params }: { filter: FilterChips; params: ListParams }) {
  const chosen = params.filters[filter.name]
  const choose = (value: string | undefined) => params.change({ filters: { [filter.name]: value } })
  const all = { value: undefined, label: filter.allLabel, count: filter.allCount }
  return (
    <fieldset className={classes.chips} aria-label={filter.label}>
      {[all, ...filter.options.filter(({ value, count }) => count !== 0 || value === chosen)].map((option) => (
        <Chip
          key={option.value ?? ''}
          pressed={chosen === option.value}
          count={option.count}
          onClick={() => choose(option.value)}
        >
          {option.label}
        </Chip>
      ))}
    </fieldset>
  )
}
