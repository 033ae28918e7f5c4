import { ActionIcon, Checkbox, Popover, Stack } from '@mantine/core'
import { useLocalStorage, useViewportSize } from '@mantine/hooks'
import { IconColumns } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Column } from './column.ts'

/** The columns that somebody wants or does not, whatever the width; others show where there is room. Kept in this browser until they log out. */
type Chosen = Record<string, boolean>

export interface ColumnChoice<Row> {
  shown: Column<Row>[]
  chosen: Chosen
  choose: (key: string, isShown: boolean) => void
}

/** The columns of the list of this screen that are shown. */
export function useColumnChoice<Row>(columns: Column<Row>[]): ColumnChoice<Row> {
  const screen = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId ?? '' })
  const [chosen, setChosen] = useLocalStorage<Chosen>({ key: `isotherm.columns.${screen}`, defaultValue: {} })
  return {
    chosen,
    choose: (key, isShown) => setChosen({ ...chosen, [key]: isShown }),
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
                onChange={(event) => choice.choose(key, event.currentTarget.checked)}
              />
            ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
