import { SupportRequest as Shape, type SupportRequest } from '@isotherm/contract/support.ts'
import type { ViewerIdentity } from '../../platform/context.ts'
import type { ShownRow } from './queries.ts'

export const presentRequest = ({ person }: ViewerIdentity, row: ShownRow): SupportRequest => ({
  id: row.id,
  kind: Shape.shape.kind.parse(row.kind),
  title: row.title,
  description: row.description,
  category: Shape.shape.category.parse(row.category),
  urgency: Shape.shape.urgency.parse(row.urgency),
  quantity: row.quantity,
  state: Shape.shape.state.parse(row.state),
  at: row.created_at.toISOString(),
  by: row.fullname,
  isOwn: row.asked_by === person.id,
  answers: row.answers.map(({ text, at }) => ({ text, at: new Date(at).toISOString() })),
})
