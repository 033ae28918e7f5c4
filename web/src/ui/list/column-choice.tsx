import { ActionIcon, Checkbox, Popover, Stack } from '@mantine/core'
import { useLocalStorage, useViewportSize } from '@mantine/hooks'
import { IconColumns } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column } from './column.ts'
import type { ChosenColumns } from './saved-views-slot.ts'

export interface ColumnChoice<Row> {
  /** The address of the screen. */
  screen: string
  shown: Column<Row>[]
  chosen: ChosenColumns
  choose: (chosen: ChosenColumns) => void
}

/** The columns of the list of this screen that are shown. A choice is kept in this browser until its person logs out; a saved view keeps one for good. */
export function useColumnChoice<Row>(columns: Column<Row>[]): ColumnChoice<Row> {
  const screen = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId ?? '' })
  const [chosen, setChosen] = useLocalStorage<ChosenColumns>({ key: `isotherm.columns.${screen}`, defaultValue: {} })
  return {
    screen,
    chosen,
    choose: setChosen,
    shown: columns
      .filter((column, index) => isFixed(column, index) || chosen[column.key] !== false)
      .map((column) => (chosen[column.key] ? { ...column, hideBelow: undefined } : column)),
  }
}

const isFixed = <Row,>(column: Column<Row>, index: number) => index === 0 || column.isFixed === true

interface ColumnMenuProps<Row> {
  columns: Column<Row>[]
  choice: ColumnChoice<Row>
}

/** Chooses the columns of a table. */
export function ColumnMenu<Row>({ columns, choice }: ColumnMenuProps<Row>) {
  const { t } = useTranslation()
  const { width } = useViewportSize()
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover position="bottom-end" trapFocus opened={isOpen} onChange={setOpen}>
      <Popover.Target>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('list.columns')}
          title={t('list.columns')}
          onClick={() => setOpen(!isOpen)}
        >
          <IconColumns size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={10}>
          {columns
            .filter((column, index) => !isFixed(column, index))
            .map(({ key, title, hideBelow }) => (
              <Checkbox
                key={key}
                size="xs"
                label={title}
                checked={choice.chosen[key] ?? width > (hideBelow ?? 0)}
                onChange={(event) => choice.choose({ ...choice.chosen, [key]: event.currentTarget.checked })}
              />
            ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
