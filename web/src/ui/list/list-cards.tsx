import { Checkbox, Paper } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { headOf, type RowLook } from './column.ts'
import classes from './list.module.css'
import { RowMenu } from './row-menu.tsx'

/** The rows of a list on a phone, or everywhere where a row says too much for columns. */
export function ListCards<Row>({ rows, label, ...look }: RowLook<Row> & { rows: Row[]; label: string }) {
  const { t } = useTranslation()
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row, index) => {
        const id = look.rowId(row)
        const name = look.rowName(row)
        const { onOpen, selection } = look
        const aside = look.aside?.(row)
        const group = look.groupOf?.(row)
        const before = rows[index - 1]
        const isFirst = group && (before === undefined || look.groupOf?.(before).key !== group.key)
        const body = look.card ? look.card(row) : <Fields row={row} look={look} />
        return (
          <Fragment key={id}>
            {isFirst && <li className={classes.groupTitle}>{group.title}</li>}
            <Paper
              component="li"
              className={classes.card}
              data-row
              data-selected={selection?.has(id) || look.openId === id || undefined}
              data-edge={look.edge?.(row)}
            >
              {selection && (look.isSelectable?.(row) ?? true) && (
                <Checkbox
                  size="sm"
                  className={classes.cardTick}
                  aria-label={t('list.select', { name })}
                  checked={selection.has(id)}
                  onChange={() => selection.toggle(id)}
                />
              )}
              {onOpen ? (
                <button type="button" className={classes.cardBody} onClick={() => onOpen(row)}>
                  {body}
                </button>
              ) : (
                <div className={classes.cardBody}>{body}</div>
              )}
              {aside && <div className={classes.cardAside}>{aside}</div>}
              {look.actions && <RowMenu name={name} actions={look.actions(row)} />}
            </Paper>
          </Fragment>
        )
      })}
    </ul>
  )
}

function Fields<Row>({ row, look }: { row: Row; look: RowLook<Row> }) {
  const [first, ...rest] = look.columns
  return (
    <>
      <span className={classes.cardTitle}>{first?.render(row)}</span>
      {rest
        .filter((column) => !column.isEmpty?.(row))
        .map((column) => (
          <span key={column.key} className={classes.cardField}>
            <span className={classes.cardLabel}>{headOf(column)}</span>
            <span>{column.render(row)}</span>
          </span>
        ))}
    </>
  )
}
