import type { ReactNode } from 'react'
import { zoneOfMany } from '../../lib/times.ts'
import type { Selection } from './use-selection.ts'

export interface Column<Row> {
  key: string
  title: string
  render: (row: Row) => ReactNode
  /** Says of a row that it has nothing there: a card leaves it out, where a table has a dash. */
  isEmpty?: (row: Row) => boolean
  /** The name the server sorts by; without it the column does not sort. */
  sort?: string
  /** Holds times without their zone: the head says it once. */
  isTime?: boolean
  align?: 'left' | 'right'
  width?: number | string
  /** Cannot be chosen away; the first never can. */
  isFixed?: boolean
  /** Hidden in the table below this width in px. */
  hideBelow?: 700 | 820 | 1100 | 1366
}

export interface RowAction {
  label: string
  icon?: ReactNode
  onClick: () => void
  destructive?: boolean
}

/** The name of a column; of times with their zone. */
export const headOf = <Row>({ title, isTime }: Column<Row>): string => (isTime ? `${title} (${zoneOfMany()})` : title)

/** A column: how table and cards show a row. */
export interface RowLook<Row> {
  rowId: (row: Row) => string
  /** Names the row to screen readers: "Actions for Van 3". */
  rowName: (row: Row) => string
  columns: Column<Row>[]
  onOpen?: (row: Row) => void
  actions?: (row: Row) => RowAction[]
  selection?: Selection
  /** The card on a phone; without it the card lists the columns. */
  card?: (row: Row) => ReactNode
  /** Cards: a bar at the left edge, in the colour of this state. */
  edge?: (row: Row) => 'warning' | 'critical' | undefined
  /** Cards: buttons beside (on a phone below) the card's body. */
  aside?: (row: Row) => ReactNode
  /** Cards: whether a row can be ticked; default: each can. */
  isSelectable?: (row: Row) => boolean
  /** Cards: rows of one key that follow each other stand under its title. */
  groupOf?: (row: Row) => { key: string; title: string }
  /** Cards: the row whose details are open. */
  openId?: string
}
