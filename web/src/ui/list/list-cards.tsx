import { Checkbox, Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { headOf, type RowLook } from './column.ts'
import classes from './list.module.css'
import { RowMenu } from './row-menu.tsx'

/** The rows of a list on a phone, or everywhere where a row says too much for columns. */
export function ListCards<Row>({ rows, label, ...look }: RowLook<Row> & { rows: Row[]; label: string }) {
  const { t } = useTranslation()
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row) => {
        const id = look.rowId(row)
        const name = look.rowName(row)
        const { onOpen, selection } = look
        const aside = look.aside?.(row)
        const body = look.card ? look.card(row) : <Fields row={row} look={look} />
        return (
          <Paper
            key={id}
            component="li"
            className={classes.card}
            data-row
            data-selected={selection?.has(id) || look.openId === id || undefined}
            data-edge={look.edge?.(row)}
          >
            {selection && (
              <Checkbox
                size="sm"
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
      {rest.map((column) => (
        <span key={column.key} className={classes.cardField}>
          <span className={classes.cardLabel}>{headOf(column)}</span>
          <span>{column.render(row)}</span>
        </span>
      ))}
    </>
  )
}
