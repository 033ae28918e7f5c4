import { Checkbox, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Column, headOf, type RowLook } from './column.ts'
import classes from './list.module.css'
import { RowMenu } from './row-menu.tsx'

interface ListTableProps<Row> extends RowLook<Row> {
  rows: Row[]
  label: string
  sort: string
  onSort: (sort: string) => void
}

export function ListTable<Row>({ rows, label, sort, onSort, ...look }: ListTableProps<Row>) {
  const { t } = useTranslation()
  const ids = rows.map(look.rowId)
  const chosen = ids.filter((id) => look.selection?.has(id)).length
  return (
    <Table className={classes.table} stickyHeader stickyHeaderOffset="var(--sticky-top)" aria-label={label}>
      <Table.Thead>
        <Table.Tr>
          {look.selection && (
            <Table.Th w={40}>
              <Checkbox
                size="xs"
                aria-label={t('list.selectAll')}
                checked={chosen > 0 && chosen === ids.length}
                indeterminate={chosen > 0 && chosen < ids.length}
                onChange={() => look.selection?.toggleAll(ids)}
              />
            </Table.Th>
          )}
          {look.columns.map((column) => (
            <Heading key={column.key} column={column} sort={sort} onSort={onSort} />
          ))}
          {look.actions && (
            <Table.Th w={48}>
              <span className="visually-hidden">{t('list.actions')}</span>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Row key={look.rowId(row)} row={row} look={look} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Heading<Row>({ column, sort, onSort }: { column: Column<Row>; sort: string; onSort: (sort: string) => void }) {
  const direction = column.sort === sort ? 'ascending' : `-${column.sort}` === sort ? 'descending' : undefined
  const Arrow = direction === 'ascending' ? IconArrowUp : direction === 'descending' ? IconArrowDown : IconArrowsSort
  return (
    <Table.Th
      w={column.width}
      ta={column.align}
      aria-sort={column.sort ? (direction ?? 'none') : undefined}
      data-hide-below={column.hideBelow}
    >
      {column.sort ? (
        <UnstyledButton
          className={classes.sort}
          onClick={() => onSort(direction === 'ascending' ? `-${column.sort}` : (column.sort ?? ''))}
        >
          {headOf(column)}
          <Arrow size={13} data-idle={direction === undefined || undefined} />
        </UnstyledButton>
      ) : (
        headOf(column)
      )}
    </Table.Th>
  )
}

function Row<Row>({ row, look }: { row: Row; look: RowLook<Row> }) {
  const { t } = useTranslation()
  const { selection, onOpen } = look
  const id = look.rowId(row)
  const name = look.rowName(row)
  return (
    <Table.Tr
      data-row
      data-clickable={Boolean(onOpen) || undefined}
      data-selected={selection?.has(id) || undefined}
      onClick={onOpen && (() => !getSelection()?.toString() && onOpen(row))}
    >
      {selection && (
        <Table.Td onClick={(event) => event.stopPropagation()}>
          <Checkbox
            size="xs"
            aria-label={t('list.select', { name })}
            checked={selection.has(id)}
            onChange={() => selection.toggle(id)}
          />
        </Table.Td>
      )}
      {look.columns.map((column, index) => (
        <Table.Td key={column.key} ta={column.align} data-time={column.isTime} data-hide-below={column.hideBelow}>
          {index === 0 && onOpen ? (
            <UnstyledButton
              className={classes.open}
              onClick={(event) => {
                event.stopPropagation()
                onOpen(row)
              }}
            >
              {column.render(row)}
            </UnstyledButton>
          ) : (
            column.render(row)
          )}
        </Table.Td>
      ))}
      {look.actions && (
        <Table.Td ta="right" onClick={(event) => event.stopPropagation()}>
          <RowMenu name={name} actions={look.actions(row)} />
        </Table.Td>
      )}
    </Table.Tr>
  )
}
